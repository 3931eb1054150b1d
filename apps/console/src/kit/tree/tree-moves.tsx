import { lazyPart } from '../loading/lazy-part.tsx'
import type { Action } from '../actions/action.ts'
import { ask } from '../confirm/ask.ts'
import { useKitText } from '../text.ts'
import type { TreeNode } from './tree-node.ts'
import type { TreeSource } from './tree-source.ts'
import type { Tree } from './use-tree.ts'

const MoveDialog = lazyPart(() => import('./move-dialog.tsx'))

/** Putting nodes below others, by dragging them there or by choosing the place in a dialog. */
export interface TreeMoves {
  may: (node: TreeNode) => boolean
  mayInto: (node: TreeNode, target: TreeNode) => boolean
  /** Done after the question; the tree is asked for again afterwards. */
  move: (node: TreeNode, target: TreeNode) => Promise<unknown>
}

/** Moves a node after a question. */
export function useAskMove(moves: TreeMoves | undefined, tree: Tree) {
  const t = useKitText()
  return (node: TreeNode, target: TreeNode) =>
    ask({
      title: t('moveTitle'),
      content: t('moveQuestion', { name: node.name, target: target.name }),
      confirmText: t('move'),
      onConfirm: async () => {
        try {
          await moves?.move(node, target)
        } catch (error) {
          // Somebody else may have moved or removed one of them.
          await tree.refresh()
          throw error
        }
        tree.changeLevel(tree.parentOf(node.id), (nodes) => nodes.filter((other) => other.id !== node.id))
        await tree.refresh()
        await tree.openNode(target)
      },
    })
}

/** Moving a node from its menu, where dragging is too far or there is no pointer. */
export function moveAction(
  source: TreeSource,
  moves: TreeMoves,
  onMove: (node: TreeNode, target: TreeNode) => void,
): Action<TreeNode> {
  return {
    name: 'move',
    title: 'kit:moveTo',
    dialog: (node, close) => (
      <MoveDialog
        node={node}
        source={source}
        moves={moves}
        onChoose={(target) => onMove(node, target)}
        onClose={close}
      />
    ),
  }
}
