import { api, type Query } from '../api/client.ts'
import type { TreeNode } from './tree-node.ts'

/** Where the nodes of a tree come from: the server, or any function that answers them. */
export interface TreeSource {
  /** Tells the tree from others in the cache. */
  key: readonly unknown[]
  /** The top of the tree, or what a search found with all above it. More than one level may be listed. */
  top: (given: { search: string; signal: AbortSignal }) => Promise<readonly TreeNode[]>
  /** What lies below a node. Left out where `top` lists the whole tree. */
  below?: (node: TreeNode, level: number) => Promise<readonly TreeNode[]>
  /** The resources whose rows its nodes count, by their paths: it is read again where those are. */
  counted?: readonly string[]
  /** The whole tree, where it is known from the beginning. */
  known?: readonly TreeNode[]
  /** What is above a node that is not loaded yet, topmost first: so that a tick below is seen from above. */
  above?: (id: string) => readonly string[]
}

/** A tree the server answers level by level: its top, and with `?key=` the children of a node. */
export function treeAt(path: string, query?: Query): TreeSource {
  return {
    key: [path, query],
    top: ({ search, signal }) => api.get<TreeNode[]>(path, { query: { ...query, search }, signal }),
    below: (node, level) =>
      api.get<TreeNode[]>(path, {
        query: { ...query, key: node.meta?.data?.key ?? node.id, n: node.name, lv: level },
      }),
  }
}

/** A tree that is all known. */
export function treeOf(nodes: readonly TreeNode[]): TreeSource {
  const found = (search: string) => {
    const parents = new Map(nodes.map((node) => [node.id, node.pId]))
    const kept = new Set<string>()
    for (const node of nodes.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))) {
      for (let id: string | undefined = node.id; id !== undefined && !kept.has(id); id = parents.get(id)) {
        kept.add(id)
      }
    }
    return nodes.filter(({ id }) => kept.has(id))
  }
  return { key: ['known', nodes], top: async ({ search }) => found(search), known: nodes }
}
