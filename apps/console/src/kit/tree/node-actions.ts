import type { MenuProps } from 'antd'
import { useState } from 'react'
import { useAccess } from '../access/access.ts'
import { api } from '../api/client.ts'
import { ask } from '../confirm/ask.ts'
import { useErrorToast } from '../feedback/errors.ts'
import { toast } from '../feedback/toast.ts'
import { useKitText } from '../text.ts'
import type { TreeNode } from './tree-node.ts'
import type { Tree } from './use-tree.ts'

/** The favourites of a person look like a node but are none. */
const favouritesId = '-12'

interface CreatedNode {
  id: string
  key: string
  value: string
}

/** Creating, renaming and deleting nodes of the asset tree, as far as the person may. */
export function useNodeActions(tree: Tree, nodePath = 'assets/nodes/') {
  const t = useKitText()
  const { can, inRoot } = useAccess()
  const showError = useErrorToast()
  const [namingId, setNamingId] = useState<string>()

  const create = async (parent: TreeNode, level: number) => {
    try {
      const made = await api.post<CreatedNode>(`${nodePath}${idOf(parent)}/children/`, {})
      const node: TreeNode = {
        id: made.key,
        name: made.value,
        pId: parent.id,
        isParent: false,
        meta: { type: 'node', data: { id: made.id, key: made.key, value: made.value } },
      }
      tree.changeLevel(tree.parentOf(parent.id), (nodes) =>
        nodes.map((other) => (other.id === parent.id ? { ...other, isParent: true } : other)),
      )
      await tree.toggle(parent, level, true)
      tree.changeLevel(parent.id, (nodes) =>
        nodes.some((other) => other.id === node.id) ? nodes : [...nodes, node],
      )
      setNamingId(node.id)
    } catch (error) {
      showError(error)
    }
  }
  const rename = async (node: TreeNode, name: string) => {
    try {
      await api.patch(`${nodePath}${idOf(node)}/`, { value: name })
      tree.changeLevel(tree.parentOf(node.id), (nodes) =>
        nodes.map((other) => (other.id === node.id ? renamed(other, name) : other)),
      )
      toast.success(t('updateSuccess'))
    } catch (error) {
      showError(error)
    }
  }
  const remove = (node: TreeNode) =>
    ask({
      title: t('deleteTitle'),
      content: t('deleteConfirm', { name: node.name }),
      confirmText: t('delete'),
      danger: true,
      onConfirm: async () => {
        await api.delete(`${nodePath}${idOf(node)}/`)
        tree.changeLevel(tree.parentOf(node.id), (nodes) => nodes.filter((other) => other.id !== node.id))
        toast.success(t('deleteSuccess'))
      },
    })

  const menu = (node: TreeNode, level: number): NonNullable<MenuProps['items']> => {
    if (node.meta?.type !== 'node' || node.id === favouritesId || inRoot) {
      return []
    }
    return [
      {
        key: 'create',
        label: t('createNode'),
        disabled: !can('assets.add_node'),
        onClick: () => void create(node, level),
      },
      {
        key: 'rename',
        label: t('renameNode'),
        disabled: !can('assets.change_node'),
        onClick: () => setNamingId(node.id),
      },
      {
        key: 'delete',
        label: t('deleteNode'),
        danger: true,
        disabled: !can('assets.delete_node'),
        onClick: () => remove(node),
      },
    ]
  }
  const named = tree.visible.find(({ node }) => node.id === namingId)?.node
  const naming = named && {
    id: named.id,
    onName: (name: string | undefined) => {
      setNamingId(undefined)
      if (name) {
        void rename(named, name)
      }
    },
  }
  return { menu, naming }
}

/** A node under another name; the number of assets after its name stays. */
function renamed(node: TreeNode, value: string): TreeNode {
  const amount = /\s*\(\d+\)$/u.exec(node.name)?.[0] ?? ''
  return { ...node, name: value + amount, meta: { ...node.meta, data: { ...node.meta?.data, value } } }
}

const idOf = (node: TreeNode) => encodeURIComponent(node.meta?.data?.id ?? node.id)
