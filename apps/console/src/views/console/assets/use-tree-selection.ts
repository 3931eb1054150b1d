import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import { nodeQuery } from './node-query.ts'

const keys = ['node_id', 'asset_id', 'category', 'type', 'platform'] as const

const treeParameter = 'activeTreeTab'
const kinds = { nodes: 'CustomTree', types: 'BuiltinTree' } as const
export type TreeKind = keyof typeof kinds

/**
 * Which tree of assets is shown, and the node a list is narrowed to, as what the list is asked for. Kept in the address,
 * where the list beside the tree finds it, or by whoever shows both somewhere else.
 */
export function useTreeSelection(inAddress = true) {
  const [address, setAddress] = useSearchParams()
  const [own, setOwn] = useState(() => new URLSearchParams())
  const params = inAddress ? address : own
  const change = (write: (next: URLSearchParams) => void) => {
    const changed = (current: URLSearchParams) => {
      const next = new URLSearchParams(current)
      write(next)
      return next
    }
    if (inAddress) setAddress(changed, { preventScrollReset: true })
    else setOwn(changed)
  }
  const query = useMemo(
    () => Object.fromEntries(keys.flatMap((key) => (params.has(key) ? [[key, params.get(key) ?? '']] : []))),
    [params],
  )
  const hasChoice = Object.keys(query).length > 0
  const kind: TreeKind = params.get(treeParameter) === kinds.types ? 'types' : 'nodes'
  return {
    kind,
    setKind: (chosen: TreeKind) => change((next) => next.set(treeParameter, kinds[chosen])),
    /** What a list is asked for. */
    query,
    hasChoice,
    clear: () =>
      change((next) => {
        for (const key of [...keys, 'page']) next.delete(key)
      }),
    isSelected: (node: TreeNode) => {
      const wanted = nodeQuery(node)
      return (
        (hasChoice || Object.keys(wanted).length === 0) && keys.every((key) => wanted[key] === query[key])
      )
    },
    select: (node: TreeNode) =>
      change((next) => {
        for (const key of [...keys, 'page']) next.delete(key)
        for (const [key, value] of Object.entries(nodeQuery(node))) next.set(key, value)
      }),
  }
}

export type TreeSelection = ReturnType<typeof useTreeSelection>
