import type { ReactNode } from 'react'
import type { Query } from '../api/client.ts'
import type { ResourceRef, Row } from '../api/resource.ts'
import type { ColumnChoice } from './columns.ts'
import type { RowAction } from './row-actions.tsx'
import type { SearchOption } from './search-options.ts'
import type { Selection } from './selection.ts'

/** An entry of a list's "Actions" menu. */
export interface BulkAction<R extends Row = Row> {
  name: string
  title: string
  danger?: boolean
  /** Works without ticked rows too. */
  always?: boolean
  hidden?: boolean
  run: (selection: Selection<R>) => void
}

/** What a list does beyond showing rows. What the person has no right to is never offered. */
export interface ListAbilities<R extends Row = Row> {
  create: boolean
  /** By a function where some rows cannot be changed or deleted. */
  update: boolean | ((row: R) => boolean)
  remove: boolean | ((row: R) => boolean)
  clone: boolean
  bulkRemove: boolean
}

export interface ListSpec<R extends Row = Row> extends ColumnChoice<R> {
  resource: ResourceRef
  /** A narrower or other list than the resource's own; may carry a query. */
  path?: string
  /** The list path whose description fits, where the list's own address describes nothing. */
  describedBy?: string
  /** Sent with every request, never shown as a filter. */
  query?: Query
  /** Address of the list screen whose create, update and detail screens are meant; this page's own unless said. */
  base?: string
  /** Switched off one by one; everything is on unless said. */
  can?: Partial<ListAbilities<R>>
  createTitle?: string
  /** What Create does in place of leading to the create screen. */
  onCreate?: () => void
  /** Buttons after Create. */
  headerActions?: ReactNode
  rowActions?: readonly RowAction<R>[]
  bulkActions?: readonly BulkAction<R>[]
  /** Where the name leads; false for no link. The detail screen unless said. */
  detailTo?: ((row: R) => string) | false
  /** More fields to search by, and those not to offer. */
  searchOptions?: readonly SearchOption[]
  searchExclude?: readonly string[]
  /** Offers a period of time (`date_from`, `date_to`), the last seven days at first. */
  dateRange?: boolean
  /** Keep page, order and filters in the address (default true); lists inside tabs keep their own. */
  inAddress?: boolean
  /** Asks again every so many milliseconds while in view. */
  refreshMs?: number
}
