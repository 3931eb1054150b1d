/** Secrets and other write-only values at any depth of a row: sealed, kept, compared and left out of what is shown. */
import { type Field, type Fields, parseDatetime } from '@sallyport/contract'
import type { Secrets } from '../secrets/index.ts'

export type Row = Readonly<Record<string, unknown>>
export const isRecord = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of an object, or of each in a list of them; undefined of all other kinds. */
export const innerOf = ({ kind }: Field): Fields | undefined =>
  kind.kind === 'object' || kind.kind === 'objects' ? kind.fields : undefined

/** Applies `change` to every declared value, deepest first; what has the wrong shape is left to the parser. */
function mapped(fields: Fields, row: Row, change: (field: Field, value: unknown) => unknown): Row {
  const changed: Record<string, unknown> = { ...row }
  for (const [name, field] of Object.entries(fields))
    if (Object.hasOwn(row, name)) changed[name] = mappedValue(field, row[name], change)
  return changed
}
function mappedValue(
  field: Field,
  value: unknown,
  change: (field: Field, value: unknown) => unknown,
): unknown {
  const inner = innerOf(field)
  if (inner === undefined) return change(field, value)
  if (Array.isArray(value))
    return value.map((item: unknown) => (isRecord(item) ? mapped(inner, item, change) : item))
  return isRecord(value) ? mapped(inner, value, change) : value
}

/** A parsed value as it is kept: every secret in it sealed, an empty one null; times as ISO-8601, read in the caller's `zone`. */
export const sealed = (field: Field, value: unknown, secrets: Secrets, zone: string): unknown =>
  mappedValue(field, value, ({ kind }, part) => {
    if (kind.kind === 'secret') return typeof part === 'string' && part !== '' ? secrets.seal(part) : null
    if (kind.kind === 'datetime' && typeof part === 'string')
      return parseDatetime(part, zone)?.toISOString() ?? null
    return part
  })

/** A stored value as it would have been sent: related rows by their ids, without what is never shown. */
export const parsedFrom = (field: Field, stored: unknown): unknown =>
  mappedValue(field, shownOf(field, stored), ({ kind }, part) => {
    if (kind.kind === 'one') return keyOf(part)
    return kind.kind === 'many' && Array.isArray(part) ? part.map((one) => keyOf(one)) : part
  })
/** The id of a related row, as it is shown or by itself. */
export const keyOf = (related: unknown): unknown => (isRecord(related) ? related['id'] : related)

/**
 * What a nested value keeps of the one before: write-only values are not shown, so who sends back what was shown does not send them.
 * Items of a list are the same where their `id` is.
 */
export function kept(field: Field, value: unknown, before: unknown): unknown {
  const inner = innerOf(field)
  if (inner === undefined) return value
  const hidden = Object.entries(inner).filter(([, { options }]) => options.writeOnly)
  const nested = Object.entries(inner).filter(([, child]) => innerOf(child) !== undefined)
  if (hidden.length === 0 && nested.length === 0) return value
  const merged = (now: Row, old: Row) => {
    const row: Record<string, unknown> = { ...now }
    for (const [name] of hidden) if (!(name in row) && name in old) row[name] = old[name]
    for (const [name, child] of nested) if (name in row) row[name] = kept(child, row[name], old[name])
    return row
  }
  if (Array.isArray(value)) {
    const olds = Array.isArray(before) ? before.filter((item) => isRecord(item)) : []
    return value.map((item: unknown) => {
      const old = isRecord(item) && item['id'] !== undefined && olds.find(({ id }) => id === item['id'])
      return isRecord(item) && old ? merged(item, old) : item
    })
  }
  return isRecord(value) && isRecord(before) ? merged(value, before) : value
}

/** A stored value without what is never shown. */
export function shownOf(field: Field, value: unknown): unknown {
  const inner = innerOf(field)
  if (inner === undefined) return value
  const one = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, item]) => {
        const child = Object.hasOwn(inner, name) ? inner[name] : undefined
        if (child?.options.writeOnly) return []
        return [[name, child ? shownOf(child, item) : item]]
      }),
    )
  if (Array.isArray(value)) return value.map((item: unknown) => (isRecord(item) ? one(item) : item))
  return isRecord(value) ? one(value) : value
}

/** Every write-only value of a stored value, opened, by its path: `password`, `steps.7.password` (the item's id, or its place). */
export function hiddenValues(
  name: string,
  field: Field,
  stored: unknown,
  secrets: Secrets,
): Map<string, string> {
  const found = new Map<string, string>()
  const walk = (path: string, at: Field, value: unknown): void => {
    if (value === null || value === undefined) return
    const inner = innerOf(at)
    if (inner === undefined) {
      if (at.options.writeOnly) found.set(path, openedText(at, value, secrets))
    } else if (Array.isArray(value))
      for (const [index, item] of (value as unknown[]).entries())
        walkRow(`${path}.${numberOf(item) ?? index}`, inner, item)
    else walkRow(path, inner, value)
  }
  const walkRow = (path: string, fields: Fields, row: unknown) => {
    if (!isRecord(row)) return
    for (const [child, at] of Object.entries(fields)) walk(`${path}.${child}`, at, row[child])
  }
  walk(name, field, stored)
  return found
}
/** The `id` of an item of a list, where it has one. */
function numberOf(item: unknown): string | undefined {
  const id = isRecord(item) ? item['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
function openedText({ kind }: Field, value: unknown, secrets: Secrets): string {
  if (kind.kind !== 'secret' || typeof value !== 'string') return JSON.stringify(value)
  try {
    return secrets.unseal(value)
  } catch {
    // Sealed with a key this server no longer has: nothing it could be equal to.
    return value
  }
}
