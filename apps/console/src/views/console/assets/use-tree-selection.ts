import { useSearchParams } from 'react-router'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import { nodeQuery } from './node-query.ts'

const keys = ['node_id', 'asset_id', 'category', 'type', 'platform'] as const

/** The node a list is narrowed to, kept in the address as what the list is asked for. */
export function useTreeSelection() {
  const [params, setParams] = useSearchParams()
  const chosen = Object.fromEntries(keys.flatMap((key) => [[key, params.get(key)]]))
  const hasChoice = keys.some((key) => params.has(key))
  return {
    isSelected: (node: TreeNode) => {
      const query = nodeQuery(node)
      return (
        (hasChoice || Object.keys(query).length === 0) &&
        keys.every((key) => (query[key] ?? null) === chosen[key])
      )
    },
    select: (node: TreeNode) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current)
          for (const key of [...keys, 'page']) {
            next.delete(key)
          }
          for (const [key, value] of Object.entries(nodeQuery(node))) {
            next.set(key, value)
          }
          return next
        },
        { preventScrollReset: true },
      ),
  }
}
