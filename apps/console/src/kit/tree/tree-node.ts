/** A node as the server lists it: flat, each naming its parent. */
export interface TreeNode {
  id: string
  name: string
  title?: string
  pId: string
  isParent: boolean
  open?: boolean
  iconSkin?: string
  chkDisabled?: boolean
  /** What it stands for. */
  meta?: {
    type?: string
    data?: { id?: string; key?: string; value?: string; [field: string]: unknown }
    [field: string]: unknown
  }
}

/** The id of what a node stands for. */
export const idOfNode = (node: TreeNode) => node.meta?.data?.id ?? node.id

/** A tree as far as it is known: what lies under each parent, in the server's order. */
export type TreeLevels = ReadonlyMap<string, readonly TreeNode[]>

export interface VisibleNode {
  node: TreeNode
  level: number
  expanded: boolean
  /** More siblings are known than shown; `hidden` of them follow. */
  hidden: number
}

/** The parent under which the topmost nodes are kept. */
export const topId = ''

/** Puts listed nodes under their parents; those whose parent is not listed lie under `parentId`. */
export function levelsOf(nodes: readonly TreeNode[], parentId: string = topId): Map<string, TreeNode[]> {
  const listed = new Set(nodes.map((node) => node.id))
  const levels = new Map<string, TreeNode[]>([[parentId, []]])
  for (const node of nodes) {
    const parent = listed.has(node.pId) && node.pId !== node.id ? node.pId : parentId
    const siblings = levels.get(parent)
    if (siblings) {
      siblings.push(node)
    } else {
      levels.set(parent, [node])
    }
  }
  return levels
}

/** The parents of all nodes that are known. */
export const parentsOf = (levels: TreeLevels): ReadonlyMap<string, string> =>
  new Map([...levels].flatMap(([parent, nodes]) => nodes.map((node) => [node.id, parent] as const)))

/** What is above a node that is known, topmost first. */
export function wayAbove(parents: ReadonlyMap<string, string>, id: string): readonly string[] {
  const way: string[] = []
  for (let at = parents.get(id); at !== undefined && at !== topId && way.length < parents.size;) {
    way.unshift(at)
    at = parents.get(at)
  }
  return way
}

/** Nodes of one level shown before "more" is asked for. */
export const shownAtOnce = 200

/** The nodes in view from top to bottom; of a long level as many as are asked for. */
export function visibleNodes(
  levels: TreeLevels,
  expanded: ReadonlySet<string>,
  shown: ReadonlyMap<string, number>,
  parentId: string = topId,
  level = 1,
): VisibleNode[] {
  const all = levels.get(parentId) ?? []
  const limit = shown.get(parentId) ?? shownAtOnce
  return all.slice(0, limit).flatMap((node, index) => {
    const open = expanded.has(node.id)
    const hidden = index === limit - 1 ? all.length - limit : 0
    const below = open ? visibleNodes(levels, expanded, shown, node.id, level + 1) : []
    return [{ node, level, expanded: open, hidden }, ...below]
  })
}
