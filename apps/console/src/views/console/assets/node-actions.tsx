import { Node } from '@sallyport/contract/resources/nodes'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import type { Action } from '../../../kit/actions/action.ts'
import { removeAction } from '../../../kit/actions/usual-actions.ts'
import { call } from '../../../kit/api/call.ts'
import { api } from '../../../kit/api/client.ts'
import { detailPath } from '../../../kit/api/resource.ts'
import { idOfNode, type TreeNode } from '../../../kit/tree/tree-node.ts'
import type { Tree } from '../../../kit/tree/use-tree.ts'
import { checkAmounts, nodeTasks } from './asset-tasks.ts'
import { type Change, titles } from './node-change.ts'

const AssetsOfNodeDialog = lazyPart(() => import('./assets-of-node-dialog.tsx'))
const NodeInfoDialog = lazyPart(() => import('./node-info-dialog.tsx'))

/** The favourites of a person look like a node but are none. */
const favouritesId = '-12'
export const isNode = (node: TreeNode) => node.meta?.type === 'node' && node.id !== favouritesId
/** The key of a node begins with those of all above it, as `1:4:2`; the root is called as its organization is, and stays. */
export const isRoot = (node: TreeNode) => !node.id.includes(':')
const own = (node: TreeNode) => detailPath(Node.path, idOfNode(node))

/** Creating nodes of the asset tree. The root organization takes nothing new. */
const creating = (tree: Tree): Action<TreeNode> => ({
  name: 'create',
  title: 'console:createNode',
  permission: 'assets.add_node',
  hidden: ({ inRoot }) => inRoot,
  call: async ([parent]) => {
    if (!parent) return
    const made = await call(Node, 'addChildTo', { id: idOfNode(parent), body: {} })
    const node: TreeNode = {
      id: made.key,
      name: made.name,
      pId: parent.id,
      isParent: false,
      meta: { type: 'node', data: { id: made.id, key: made.key, value: made.name } },
    }
    tree.changeLevel(tree.parentOf(parent.id), (nodes) =>
      nodes.map((other) => (other.id === parent.id ? { ...other, isParent: true } : other)),
    )
    await tree.openNode(parent)
    tree.changeLevel(parent.id, (nodes) =>
      nodes.some((other) => other.id === node.id) ? nodes : [...nodes, node],
    )
    tree.startNaming(node.id)
  },
})

/** Renaming and deleting them. */
function editing(tree: Tree): Action<TreeNode>[] {
  return [
    {
      name: 'rename',
      title: 'console:renameNode',
      permission: 'assets.change_node',
      hidden: ({ inRoot }) => inRoot,
      call: ([node]) => tree.startNaming(node?.id),
    },
    {
      ...removeAction<TreeNode>(false),
      title: 'console:deleteNode',
      permission: 'assets.delete_node',
      hidden: ({ inRoot }) => inRoot,
      call: async ([node]) => {
        if (!node) return
        try {
          await api.delete(own(node))
        } catch (error) {
          // It may hold assets by now, or be gone.
          await tree.refresh()
          throw error
        }
        tree.changeLevel(tree.parentOf(node.id), (nodes) => nodes.filter((other) => other.id !== node.id))
      },
    },
  ]
}

/** Adding assets to a node, moving them there, taking them out. */
const changing = (tree: Tree) =>
  (['add', 'replace', 'remove'] as const).map((change: Change): Action<TreeNode> => ({
    name: change,
    title: titles[change],
    permission: 'assets.change_assetnodes',
    hidden: ({ inRoot }) => inRoot,
    dialog: (node, close) => (
      <AssetsOfNodeDialog change={change} node={node} refresh={tree.refresh} onClose={close} />
    ),
  }))

const info: Action<TreeNode> = {
  name: 'info',
  title: 'console:nodeInformation',
  dialog: (node, close) => <NodeInfoDialog node={node} onClose={close} />,
}

/** What can be done with a node and its assets, and how much of it the list shows. */
export function nodeActions(node: TreeNode, tree: Tree, showing: Action<TreeNode>) {
  const edits = isRoot(node) ? [creating(tree)] : [creating(tree), ...editing(tree)]
  return isNode(node) ? [edits, changing(tree), nodeTasks, [showing], [checkAmounts, info]] : []
}

/** Gives a node another name; the number of assets after its name stays. */
export async function renameNode(node: TreeNode, name: string, tree: Tree): Promise<void> {
  await api.patch(own(node), { value: name })
  const amount = /\s*\(\d+\)$/u.exec(node.name)?.[0] ?? ''
  const meta = { ...node.meta, data: { ...node.meta?.data, value: name } }
  tree.changeLevel(tree.parentOf(node.id), (nodes) =>
    nodes.map((other) => (other.id === node.id ? { ...other, name: name + amount, meta } : other)),
  )
}
