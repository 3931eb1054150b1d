import type { PermissionName } from '@sallyport/contract/rbac/permissions'
import type { Query } from '../api/client.ts'
import { isRecord } from '../api/errors.ts'
import type { Row, RowId } from '../api/resource.ts'

/** Where the candidates of a relation come from and how they are shown and sent. */
export interface RelationSource {
  /** List path, may carry a query. */
  path: string
  query?: Query
  /** What a candidate is called; its name unless said. */
  labelOf?: (row: Row) => string
  /** Send bare ids in place of `{pk}`. */
  plain?: boolean
  /** New things may be named by who has this right; they are sent as `{name}`. */
  creatable?: PermissionName
  /** Candidates that are not offered. */
  except?: (row: Row) => boolean
}

/** One chosen thing: with an id when it exists, with only a name when it is to be made. */
export interface Related {
  id?: RowId
  label?: string
  /** What to call it where nobody tells more: the row does not say what its label is made of. */
  name?: string
}

/** A relation's value in whatever form it came: rows, `{pk}`, bare ids. */
export function relatedItems(value: unknown, source?: RelationSource): Related[] {
  const items: unknown[] = Array.isArray(value)
    ? value
    : value === null || value === undefined || value === ''
      ? []
      : [value]
  return items.flatMap((item): Related[] => {
    if (typeof item === 'string' || typeof item === 'number') {
      return [{ id: item }]
    }
    if (!isRecord(item)) {
      return []
    }
    const id = [item['id'], item['pk']].find((part) => typeof part === 'string' || typeof part === 'number')
    const name = text(item['name'])
    const label = text(item['label']) ?? (id === undefined ? name : labelOf({ ...item, id }, source))
    return [{ id, label, ...(label === undefined && name !== undefined && { name }) }]
  })
}

/** What a row is called in a select; undefined where it does not say what its label is made of. */
export function labelOf(row: Row, source?: RelationSource): string | undefined {
  if (source?.labelOf) {
    return hasMoreThanId(row) ? text(source.labelOf(row)) : undefined
  }
  return text(row['name']) ?? text(row['display_name']) ?? text(row['username'])
}

function hasMoreThanId(row: Row): boolean {
  return Object.keys(row).some((key) => key !== 'id' && key !== 'pk')
}

/** A relation as it is sent; one thing for a single relation, a list for many. */
export function relationPayload(value: unknown, source?: RelationSource): unknown {
  if (value === null || value === undefined || value === '') {
    return value === '' ? null : value
  }
  const items = relatedItems(value, source).map(({ id, label }) => {
    if (id === undefined) {
      return { name: label }
    }
    return source?.plain ? id : { pk: id }
  })
  return Array.isArray(value) ? items : items[0]
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function text(value: unknown): string | undefined {
  return isText(value) ? value : undefined
}

/** Another way to choose related rows than the select: a button that opens what it takes. */
export interface ChooserProps {
  source: RelationSource
  /** Ticked at first. */
  chosen: readonly Related[]
  disabled?: boolean | undefined
  onChoose: (rows: Related[]) => void
}
