import type { Row } from '../api/resource.ts'
import { nameOf } from '../values/name-of.ts'
import type { Action, Subject } from './action.ts'

/** For all rows, or for some of them. */
type Rule<R> = boolean | ((row: R) => boolean)

/** Changing a row on its form. */
export function updateAction<R extends Subject>(isClosed: boolean, rule?: Rule<R>): Action<R> {
  return { name: 'update', title: 'kit:update', order: 10, when: (row) => !isClosed && allows(rule, row) }
}

/** Deleting a row, after a question. */
export function removeAction<R extends Subject>(isClosed: boolean, rule?: Rule<R>): Action<R> {
  return {
    name: 'delete',
    title: 'kit:delete',
    order: 20,
    danger: true,
    when: (row) => !isClosed && allows(rule, row),
    confirm: {
      title: (_rows, text) => text('kit:deleteTitle'),
      content: ([row], text) => text('kit:deleteConfirm', { name: row ? nameOf(row) : '' }),
    },
    done: 'kit:deleteSuccess',
    refreshes: [],
  }
}

/** Deleting all ticked rows, after a question. */
export const bulkRemoveAction: Action<Row> = {
  name: 'delete',
  title: 'kit:deleteSelected',
  danger: true,
  confirm: {
    title: (_rows, text) => text('kit:deleteTitle'),
    content: (rows, text) => text('kit:bulkDeleteConfirm', { count: rows.length }),
  },
  done: 'kit:bulkDeleteSuccess',
  refreshes: [],
}

function allows<R>(rule: Rule<R> | undefined, row: R): boolean {
  return typeof rule === 'function' ? rule(row) : rule !== false
}
