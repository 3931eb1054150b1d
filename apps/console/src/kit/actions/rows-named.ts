import type { Text } from '../text.ts'
import { nameOf } from '../values/name-of.ts'
import type { Subject } from './action.ts'

const namedAtMost = 5

/** What a question is about: one row by its name, several by their number and the first names. */
export function rowsNamed(rows: readonly Subject[], text: Text): string {
  const first = rows.slice(0, namedAtMost).map(nameOf).join(', ')
  const left = rows.length - namedAtMost
  const names = left > 0 ? text('kit:namesAndMore', { names: first, count: left }) : first
  return rows.length > 1 ? text('kit:rowsNamed', { count: rows.length, names }) : names
}
