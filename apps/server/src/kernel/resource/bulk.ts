/** Arrays in create and update, and deleting what a list shows. All rows or none. */
import type { Problem, Problems } from '@sallyport/contract'
import { and, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { ApiError, invalid, unnamedRows, ValidationError } from '../errors.ts'
import { emptiedIn, valuesOf } from '../http/parse.ts'
import type { StoredRow } from '../events.ts'
import type { Mode, Served } from './binding.ts'
import { conditionsOf, idOf, isFilter, type Query } from './query.ts'
import { storedRows } from './read.ts'
import { arrayOf } from './references.ts'
import { createRows, deleteRows, updateRows, type Writing } from './write.ts'

/** Of one call. */
export const maxRows = 1000

function checkAmount(rows: readonly unknown[]): void {
  if (rows.length > maxRows)
    throw new ValidationError({ non_field_errors: [{ key: 'too_many_items', params: { max: maxRows } }] })
}

export async function createListed(writing: Writing, bodies: readonly unknown[]): Promise<StoredRow[]> {
  checkAmount(bodies)
  const { served, ctx } = writing
  const standing = (await served.binding.standing?.(ctx, bodies)) ?? []
  const made = await createRows(
    writing,
    bodies.filter((_body, at) => standing[at] === undefined),
  )
  const ids = standing.filter((id) => id !== undefined)
  if (ids.length === 0) return made
  const { table } = served.binding
  return [...made, ...(await storedRows(served, ctx, sql`${table.id} = any(${arrayOf(ids, table.id)})`))]
}

/** Rows to update are inside the filtered list: one that is not does not exist here. */
export async function updateListed(
  writing: Writing,
  mode: Mode,
  bodies: unknown,
  {
    query,
    selected,
    check,
  }: { query: Query; selected: readonly string[] | undefined; check: (before: StoredRow) => void },
): Promise<StoredRow[]> {
  if (!Array.isArray(bodies))
    throw new ValidationError({
      non_field_errors: [{ key: 'not_list', params: { type: bodies === null ? 'null' : 'dict' } }],
    })
  checkAmount(bodies)
  const { served, ctx } = writing
  const { table } = served.binding
  const keys = (bodies as unknown[]).map((body) => keyOf(body))
  const ids = keys.map((key) => (key === undefined ? undefined : idOf(served, key)))
  const wanted = arrayOf([...new Set(ids.filter((id) => id !== undefined))], table.id)
  const { where } = conditionsOf(served, ctx, query, selected)
  const isNamed = sql`${table.id} = any(${wanted})`
  const found = await storedRows(served, ctx, and(where, isNamed) ?? isNamed, { lock: true })
  const known = new Map(found.map((row) => [row['id'], row]))
  const seen = new Set<unknown>()
  const problems = ids.map((id, at): Problems | Problem | Problem[] => {
    if (keys[at] === undefined) return [{ key: 'row_without_id' }]
    if (id === undefined || !known.has(id))
      return { key: 'does_not_exist', params: { pk: (keys[at] ?? '').slice(0, 100) } }
    if (seen.has(id)) return { id: [{ key: 'unique' }] }
    seen.add(id)
    return {}
  })
  if (problems.some((row) => Object.keys(row).length > 0)) throw unnamedRows(problems)
  for (const row of found) check(row)
  return await updateRows(
    writing,
    mode,
    (bodies as unknown[]).flatMap((body, at) => {
      const before = known.get(ids[at])
      return before ? [{ before, body }] : []
    }),
  )
}
/** The id a row of an update names. */
export function keyOf(body: unknown): string | undefined {
  const { id, pk = id } = (typeof body === 'object' ? (body ?? {}) : {}) as { id?: unknown; pk?: unknown }
  return typeof pk === 'string' || typeof pk === 'number' ? String(pk) : undefined
}

/** Deletes the rows a filtered list holds. */
export async function deleteListed(
  writing: Writing,
  query: Query,
  selected: readonly string[] | undefined,
  check: (before: StoredRow) => void,
): Promise<void> {
  const { served, ctx } = writing
  const { table } = served.binding
  const named = await namedRows(served, ctx, query, selected)
  const ids = arrayOf(
    named.map((row) => row['id']),
    table.id,
  )
  // With what they show, too: the books tell what was lost, and what it was called.
  const rows = await storedRows(served, ctx, sql`${table.id} = any(${ids})`)
  for (const row of rows) check(row)
  await deleteRows(writing, rows)
}

const maxNamed = 10_000

/** What every list can be asked with, besides its own filters. */
const narrowing = new Set(['ids', 'search', 'spm'])
/** Whether a parameter of that name makes a list shorter. */
export const narrows = (served: Served, name: string): boolean =>
  narrowing.has(name) || isFilter(served, name)
const harmless = new Set([
  'action',
  'display',
  'draw',
  'fields',
  'fields!',
  'fields_size',
  'format',
  'limit',
  'offset',
  'oid',
  'order',
])

/**
 * The rows a filtered list holds, locked, for a change of all of them. Refused (400, empty body) unless something narrows the list; in
 * most resources of the whole system only a selection or ids do; of their pairs one at a time is found by anything. An empty filter is refused as
 * well, and where nothing names the rows themselves a misspelt one: whoever meant something by it must not lose more than that.
 */
export async function namedRows(
  served: Served,
  ctx: Context,
  query: Query,
  selected: readonly string[] | undefined,
): Promise<StoredRow[]> {
  const { resource, binding } = served
  const emptied = emptiedIn(query).find((name) => narrows(served, name))
  if (emptied !== undefined) throw invalid(emptied, 'blank')
  const byPair = resource.pair?.every((name) => valuesOf(query, name).length === 1) ?? false
  const byId = selected !== undefined || query['ids'] !== undefined
  const unknown = Object.keys(query).find((name) => !narrows(served, name) && !isKnown(served, name))
  if (unknown !== undefined && !byId && !byPair) throw invalid(unknown.slice(0, 64), 'parameter_unknown')
  const { where, isFiltered } = conditionsOf(served, ctx, query, selected)
  const refused = () => new ApiError(400, 'bulk_delete_refused', { body: () => undefined })
  const isOneAtATime = !resource.deletesNarrowed && resource.pair !== undefined && !byId
  if (!(resource.deletesNarrowed || isOneAtATime ? isFiltered : byId)) throw refused()
  const { table, locking } = binding
  await locking?.(ctx)
  const found = await ctx.db.execute(
    sql`select ${table}.* from ${table}${where ? sql` where ${where}` : sql``} limit ${maxNamed + 1} for update`,
  )
  if (isOneAtATime && found.rows.length !== 1) throw refused()
  if (found.rows.length > maxNamed) throw new ApiError(400, 'list_too_long', { params: { max: maxNamed } })
  return found.rows
}
const isKnown = ({ resource }: Served, name: string) =>
  harmless.has(name) || Object.hasOwn(resource.filters, name)
