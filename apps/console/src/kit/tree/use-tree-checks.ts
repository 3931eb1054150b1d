import { useMemo } from 'react'
import { type Checked, type CheckState, checkStates, withCheck } from './tree-checks.ts'
import type { Tree } from './use-tree.ts'

export interface TreeChecks {
  stateOf: (id: string) => CheckState
  /** Ticks a node that is not ticked, or not whole, and unticks one that is. */
  toggle: (id: string) => void
}

/** Ticks in a tree: `checked` are the nodes ticked whole, with everything below them. */
export function useTreeChecks(
  tree: Tree,
  checked: Checked,
  onChange: (checked: Checked) => void,
  above?: (id: string) => readonly string[],
): TreeChecks {
  const { levels } = tree
  const states = useMemo(() => checkStates(levels, checked, above), [levels, checked, above])
  const stateOf = (id: string) => states.get(id) ?? 'off'
  return {
    stateOf,
    toggle: (id) => onChange(withCheck(levels, checked, id, stateOf(id) !== 'on', above)),
  }
}
