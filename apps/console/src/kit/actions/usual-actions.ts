import { createElement, Fragment, type ReactNode } from 'react'
import type { Access } from '../access/access.ts'
import { updateMany } from '../api/hooks.ts'
import { changePermission, type ResourceRef, type Row } from '../api/resource.ts'
import { nameOf } from '../values/name-of.ts'
import type { Action, Subject } from './action.ts'
import { rowsNamed } from './rows-named.ts'

/** For all rows, or for some of them. */
type Rule<R> = boolean | ((row: R) => boolean)

/** Changing a row on its form. */
export function updateAction<R extends Subject>(isClosed: boolean, rule?: Rule<R>): Action<R> {
  return { name: 'update', title: 'kit:update', order: 10, when: (row) => !isClosed && allows(rule, row) }
}

/** What a question about deleting rows says of what is lost with them. */
export type RemoveConsequence<R extends Subject> = (rows: readonly R[]) => ReactNode

/** Deleting a row, after a question. */
export function removeAction<R extends Subject>(
  isClosed: boolean,
  rule?: Rule<R>,
  consequence?: RemoveConsequence<R>,
): Action<R> {
  return {
    name: 'delete',
    title: 'kit:delete',
    order: 20,
    danger: true,
    when: (row) => !isClosed && allows(rule, row),
    confirm: {
      title: (_rows, text) => text('kit:deleteTitle'),
      content: (rows, text) =>
        followed(text('kit:deleteConfirm', { name: rows[0] ? nameOf(rows[0]) : '' }), rows, consequence),
      failed: 'kit:deleteFailed',
    },
    done: 'kit:deleteSuccess',
    refreshes: [],
  }
}

/** Deleting all ticked rows, after a question. */
export const bulkRemoveAction = (consequence?: RemoveConsequence<Row>): Action<Row> => ({
  name: 'delete',
  title: 'kit:deleteSelected',
  danger: true,
  confirm: {
    title: (_rows, text) => text('kit:deleteTitle'),
    content: (rows, text) =>
      followed(text('kit:bulkDeleteConfirm', { rows: rowsNamed(rows, text) }), rows, consequence),
    failed: 'kit:deleteFailed',
  },
  done: 'kit:bulkDeleteSuccess',
  refreshes: [],
})

function followed<R extends Subject>(
  question: string,
  rows: readonly R[],
  consequence: RemoveConsequence<R> | undefined,
): ReactNode {
  return consequence ? createElement(Fragment, null, question, consequence(rows)) : question
}

/** Whether rows are switched on is a field of theirs; in the root organization nothing is changed in bulk. */
const switching = (resource: ResourceRef) => ({
  permission: changePermission(resource),
  hidden: ({ inRoot }: Access) => inRoot,
})

/** Switching rows off, after a question that names them. */
export function disableAction<R extends Subject>(resource: ResourceRef): Action<R> {
  return {
    ...switching(resource),
    name: 'disable',
    title: 'kit:disable',
    titleMany: 'kit:disableSelected',
    danger: true,
    confirm: { content: (rows, text) => text('kit:disableConfirm', { names: rowsNamed(rows, text) }) },
    call: (rows) => updateMany(resource.path, rows, { is_active: false }),
    done: 'kit:deactivated',
  }
}

/** Switching rows on again. */
export function activateAction<R extends Subject>(resource: ResourceRef): Action<R> {
  return {
    ...switching(resource),
    name: 'activate',
    title: 'kit:activateSelected',
    call: (rows) => updateMany(resource.path, rows, { is_active: true }),
    done: 'kit:activated',
  }
}

function allows<R>(rule: Rule<R> | undefined, row: R): boolean {
  return typeof rule === 'function' ? rule(row) : rule !== false
}
