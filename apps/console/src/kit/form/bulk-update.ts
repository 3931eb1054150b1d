import type { Resource } from '@sallyport/contract/resource/resource'
import { createElement } from 'react'
import type { Action } from '../actions/action.ts'
import type { ResourceRef, Row } from '../api/resource.ts'
import { lazyPart } from '../loading/lazy-part.tsx'
import type { MessageKey } from '../text.ts'
import type { FieldName, FieldSpecs } from './form-spec.ts'

/** What can be changed of several rows together, and how it is filled in. */
export interface BulkUpdate<Name extends string = string> {
  fields: readonly Name[]
  /** Fields that cannot be changed of these rows. */
  closed?: (rows: readonly Row[]) => readonly Name[]
  specs?: FieldSpecs<Name>
  /** Said above the fields. */
  tip?: MessageKey
}

/** Names that the resource does not have do not compile. */
export const bulkUpdateOf = <R extends Resource>(
  _resource: R,
  update: BulkUpdate<FieldName<R>>,
): BulkUpdate => update

const BulkUpdateDialog = lazyPart(() => import('./bulk-update-dialog.tsx'))

/** Changing the ticked properties of all ticked rows. */
export const bulkUpdateAction = (resource: ResourceRef, update: BulkUpdate): Action<Row> => ({
  name: 'bulkUpdate',
  title: 'kit:updateSelected',
  dialog: (_row, close, rows) => createElement(BulkUpdateDialog, { resource, update, rows, onClose: close }),
})
