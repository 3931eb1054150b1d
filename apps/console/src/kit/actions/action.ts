import type { ReactNode } from 'react'
import type { Access, PermissionRule } from '../access/access.ts'
import type { ResourceRef, RowId } from '../api/resource.ts'
import type { Text, TextKey } from '../text.ts'

/** What actions are done with: rows, nodes of a tree. */
export interface Subject {
  id: RowId
}

/** What the person answered to the question before an action. */
export interface Given {
  /** Why, in the person's words; empty where it was not asked for. */
  reason: string
}

export interface Confirmation<R> {
  title?: (rows: readonly R[], text: Text) => string
  content?: (rows: readonly R[], text: Text) => ReactNode
  /** Asks why. */
  reason?: 'optional' | 'required'
  /** Said before the reason when it fails. */
  failed?: TextKey
  /** What has to be typed before the action can go ahead: the name of what will be lost. */
  typed?: (rows: readonly R[]) => string
}

/**
 * Something a person can do with rows. Declared once, offered in row menus, bulk menus, quick actions, trees and headings.
 * It leads somewhere (`to`), opens a dialog (`dialog`), is done here (`call`), or is done beside (`task`).
 */
export interface Action<R extends Subject = Subject> {
  /** Also the name under which the server says in a row's `may` whether it can be done: that of the call, by `calling`. */
  name: string
  title: TextKey | ((row: R) => TextKey)
  /** In a list's menu for all ticked rows. */
  titleMany?: TextKey
  /** The word on a button whose line already carries the title. */
  label?: TextKey
  /** Not offered without it. */
  permission?: PermissionRule
  /** Not offered here at all, as in the root organization or without a licence. */
  hidden?: (access: Access) => boolean
  /** Offered but closed where it answers false. */
  when?: (row: R, access: Access) => boolean
  danger?: boolean
  /** Its place among the actions of a row: update 10, delete 20, duplicate 30; 100 unless said. */
  order?: number
  /** Asks first; `true` asks in general words. */
  confirm?: true | Confirmation<R>
  to?: (row: R) => string
  /** Of all rows, the first of them before the others. */
  dialog?: (row: R, close: () => void, rows: readonly R[]) => ReactNode
  call?: (rows: readonly R[], given: Given) => unknown
  /** Starts a task: its log opens, and rows are asked for again once it has ended, not at once. */
  task?: (rows: readonly R[]) => Promise<{ task: string }>
  /** Told when it is done. */
  done?: TextKey
  /** Whose rows are asked for again afterwards; the list's or page's own resource unless said. */
  refreshes?: readonly ResourceRef[]
}
