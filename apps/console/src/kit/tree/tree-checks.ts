import { parentsOf, topId, type TreeLevels, type TreeNode, wayAbove } from './tree-node.ts'

/** Ticked, ticked in part, or not. */
export type CheckState = 'on' | 'some' | 'off'

/**
 * What is ticked in a tree: ids of nodes that are ticked whole, with everything below them, loaded or not. None of
 * them lies below another.
 */
export type Checked = ReadonlySet<string>

type Above = (id: string) => readonly string[]

/** What is above a node, topmost first; `above` says it of those that are not loaded. */
const pathTo = (parents: ReadonlyMap<string, string>, id: string, above?: Above): readonly string[] =>
  parents.has(id) ? wayAbove(parents, id) : (above?.(id) ?? [])

/** The state of every node that is known. A parent is ticked when all its children are, in part when some are. */
export function checkStates(
  levels: TreeLevels,
  checked: Checked,
  above?: Above,
): ReadonlyMap<string, CheckState> {
  const parents = parentsOf(levels)
  const inPart = new Set([...checked].flatMap((id) => pathTo(parents, id, above)))
  const states = new Map<string, CheckState>()
  const visit = (node: TreeNode, isInherited: boolean): CheckState => {
    const isOn = isInherited || checked.has(node.id)
    const below = (levels.get(node.id) ?? []).map((child) => visit(child, isOn))
    const state =
      isOn || (below.length > 0 && below.every((one) => one === 'on'))
        ? 'on'
        : inPart.has(node.id) || below.some((one) => one !== 'off')
          ? 'some'
          : 'off'
    states.set(node.id, state)
    return state
  }
  for (const node of levels.get(topId) ?? []) {
    visit(node, false)
  }
  return states
}

/** What is ticked after a node, with everything below it, was ticked or unticked. */
export function withCheck(
  levels: TreeLevels,
  checked: Checked,
  id: string,
  on: boolean,
  above?: Above,
): Checked {
  const parents = parentsOf(levels)
  const path = pathTo(parents, id)
  const next = new Set([...checked].filter((one) => one !== id && !pathTo(parents, one, above).includes(id)))
  const holder = path.find((one) => checked.has(one))
  if (on) {
    return holder === undefined ? next.add(id) : checked
  }
  if (holder !== undefined) {
    // What was ticked by a node above stays ticked, but for this one.
    next.delete(holder)
    const way = [...path.slice(path.indexOf(holder)), id]
    way.slice(0, -1).forEach((parent, index) => {
      for (const sibling of levels.get(parent) ?? []) {
        if (sibling.id !== way[index + 1]) {
          next.add(sibling.id)
        }
      }
    })
  }
  return next
}

/** The leaves of a tree that is all known, as far as they are ticked, in its order. */
export function checkedLeaves(levels: TreeLevels, checked: Checked, parentId = topId): string[] {
  return (levels.get(parentId) ?? []).flatMap((node) => {
    if (levels.has(node.id)) {
      return checkedLeaves(levels, checked.has(node.id) ? allBelow(levels, node.id) : checked, node.id)
    }
    return checked.has(node.id) ? [node.id] : []
  })
}

const allBelow = (levels: TreeLevels, id: string): Checked =>
  new Set((levels.get(id) ?? []).map((node) => node.id))
