import type { TreeNode } from '../../../kit/tree/tree-node.ts'

const word = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** What a list is asked for when a node is chosen. */
export function nodeQuery(node: TreeNode): Record<string, string> {
  const data = node.meta?.data ?? {}
  const id = data.id ?? node.id
  switch (node.meta?.type) {
    case 'node':
      return { node_id: id }
    case 'asset':
      return { asset_id: id }
    case 'category':
      return { category: word(node.meta['category']) ?? id }
    case 'type':
      return {
        category: word(node.meta['category']) ?? word(data['category']) ?? '',
        type: word(node.meta['_type']) ?? id,
      }
    case 'platform':
      return { platform: id }
    default:
      return {}
  }
}
