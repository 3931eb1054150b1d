import type { Access } from '../access/access.ts'
import { isRecord } from '../api/errors.ts'
import type { TextKey } from '../text.ts'
import type { Action, Subject } from './action.ts'

/** Whether an action is offered to this person here, whatever the row. */
export function isOffered<R extends Subject>(action: Action<R>, access: Access): boolean {
  return access.can(action.permission) && action.hidden?.(access) !== true
}

/** Whether an action can be done with a row: the screen's rule, and what the server says in the row's `may`. */
export function isOpen<R extends Subject>(action: Action<R>, row: R, access: Access): boolean {
  const may = serverSays(action, row)
  return (may === undefined || may === true) && action.when?.(row, access) !== false
}

/** Why the server refuses an action with a row, where it says so. */
export function refusalOf<R extends Subject>(action: Action<R>, row: R): string | undefined {
  const may = serverSays(action, row)
  return typeof may === 'string' ? may : undefined
}

/** `may` of a row: action → true, false, or why not. */
function serverSays<R extends Subject>({ name }: Action<R>, row: R): unknown {
  const may = 'may' in row ? row.may : undefined
  return isRecord(may) ? may[name] : undefined
}

export function titleOf<R extends Subject>(action: Action<R>, row: R): TextKey {
  return typeof action.title === 'function' ? action.title(row) : action.title
}

const defaultOrder = 100

/** Actions in their order, a later one with the same name replacing the earlier. */
export function orderedActions<R extends Subject>(actions: readonly Action<R>[]): Action<R>[] {
  const byName = new Map(actions.map((action) => [action.name, action]))
  return [...byName.values()].sort((a, b) => (a.order ?? defaultOrder) - (b.order ?? defaultOrder))
}
