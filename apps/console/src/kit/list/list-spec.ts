import type { FilterOf, Resource } from '@sallyport/contract/resource/resource'
import type { ReactNode } from 'react'
import type { Action } from '../actions/action.ts'
import type { RemoveConsequence } from '../actions/usual-actions.ts'
import type { Query } from '../api/client.ts'
import type { Choice } from '../api/metadata.ts'
import type { FieldOf, QueryOf, RowFor } from '../api/names.ts'
import type { ResourceRef, Row } from '../api/resource.ts'
import type { TextKey } from '../text.ts'
import type { BulkUpdate } from '../form/bulk-update.ts'
import type { ImportMode } from '../transfer/import-file.ts'
import type { ColumnChoice } from './columns.ts'
import type { PagingName } from './paging.ts'
import type { Selection } from './selection.ts'

/** What a list does beyond showing rows. What the person has no right to is never offered. */
export interface ListAbilities<R extends Row = Row> {
  create: boolean
  /** By a function where some rows cannot be changed or deleted. */
  update: boolean | ((row: R) => boolean)
  remove: boolean | ((row: R) => boolean)
  clone: boolean
  bulkRemove: boolean
  /** From files: new rows, changes of rows, or both. */
  import: boolean | ImportMode
  export: boolean
}

/** A further field to search by. */
export interface SearchField<F extends string = string> {
  name: F
  label: TextKey
  /** Answered with yes or no; a value is typed unless said. */
  yesNo?: boolean
  /** Answered with one of these. */
  choices?: readonly Choice[]
}

/** A list: `R` its rows, `C` their fields, `F` what it can be narrowed by, `X` the screen's own columns. */
export interface ListSpec<
  R extends Row = Row,
  C extends string = string,
  F extends string = string,
  X extends string = string,
> extends ColumnChoice<R, C, X> {
  resource: ResourceRef
  /** A narrower or other list than the resource's own. */
  path?: string
  /** The list path whose description fits, where the list's own address describes nothing. */
  describedBy?: string
  /** Sent with every request, never shown as a filter. */
  query?: Query
  /** Address of the list screen whose create, update and detail screens are meant; this page's own unless said. */
  base?: string
  /** Switched off one by one; all that changes something (`read`), or that and the export (`look`). Everything is on unless said. */
  can?: Partial<ListAbilities<R>> | 'read' | 'look'
  /** Added to the question before rows are deleted: what ends or is lost with them. */
  removeConsequence?: RemoveConsequence<R>
  createTitle?: TextKey
  /** What Create does in place of leading to the create screen. */
  onCreate?: () => void
  /** Buttons after Create. */
  headerActions?: ReactNode
  rowActions?: readonly Action<R>[]
  /** What a row shows below itself when it is opened, as what is too long for a cell. */
  expanded?: (row: R) => ReactNode
  /** Offered for all ticked rows. */
  bulkActions?: readonly Action<R>[]
  /** Where rows are ticked for somebody else, as in a picker: what is ticked stays so whatever is searched. */
  selection?: Selection
  /** What can be changed of all ticked rows together. */
  bulkUpdate?: BulkUpdate
  /** What is exported in place of these rows, as the same with their secrets. */
  exportAs?: ResourceRef
  /** What a row is called for who cannot see the table, where it has no name: what its first column says unless said. */
  called?: (row: R) => string
  /** Where the name leads; false for no link. The detail screen unless said. */
  detailTo?: ((row: R) => string) | false
  /** More fields to search by, and those not to offer. */
  searchFields?: readonly SearchField<F>[]
  searchExclude?: readonly F[]
  /** Offers a period of time (`date_from`, `date_to`), the last seven days at first. */
  dateRange?: boolean
  /** Keep page, order and filters in the address (default true); of several lists on a page, one does. */
  inAddress?: boolean
  /** How its pages are asked for; by offset unless said. */
  paging?: PagingName
  /** Asks again every so many milliseconds while in view. */
  refreshMs?: number
}

/** What is said of a list but what it asks for. */
export type SaidOfList = Omit<ListSpec, 'query'>

/** A list of a resource declared in the contract: every name in it is checked against the declaration. */
export type ListOf<T extends Resource, X extends string = never> = Omit<
  ListSpec<RowFor<T>, FieldOf<T>, FilterOf<T>, X>,
  'resource' | 'query'
> & { resource: T; query?: QueryOf<T> }

/** The same as the kit works with it, where names are words. */
export function plainList<T extends Resource, X extends string>(list: ListOf<T, X>): ListSpec {
  return list as unknown as ListSpec
}
