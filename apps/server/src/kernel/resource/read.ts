/** Lists and single rows. A page costs two statements: the count and the rows with everything they show. */
import { modelLabel } from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { ApiError, notFound } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import type { Served } from './binding.ts'
import { columnOf, selectedFields, selectList } from './fields.ts'
import { presentRow } from './present.ts'
import { conditionsOf, orderOf, pageOf, type Query, scopeOf } from './query.ts'

/** Lists without `limit` are answered whole up to here; beyond, the caller is asked to page. */
const maxWholeList = 50_000

export interface Page {
  count: number
  next: string | null
  previous: string | null
  results: Record<string, unknown>[]
}

export async function listRows(
  served: Served,
  ctx: Context,
  query: Query,
  options: { selected: readonly string[] | undefined; maxLimit: number; path: string },
): Promise<Page | Record<string, unknown>[]> {
  const { where } = conditionsOf(served, ctx, query, options.selected)
  const fields = selectedFields(served.resource, ctx, 'list', query)
  const order = orderOf(served, query['order'])
  const { limit, offset } = pageOf(query, options.maxLimit)
  const { table } = served.binding
  const filtered = where ? sql` where ${where}` : sql``
  const read = async (count: number, from: number) => {
    // The page is cut first, so that related objects are gathered for its rows only.
    const page = sql`(select * from ${table}${filtered} order by ${order} limit ${count} offset ${from}) as ${table}`
    const found = await ctx.db.execute(
      sql`select ${selectList(served, fields, ctx)} from ${page} order by ${order}`,
    )
    return found.rows.map((row) => presentRow(served, fields, row, ctx))
  }
  if (limit === undefined) {
    const rows = await read(maxWholeList + 1, offset)
    if (rows.length > maxWholeList)
      throw new ApiError(400, 'list_too_long', { params: { max: maxWholeList } })
    return rows
  }
  const [counted, results] = await Promise.all([
    ctx.db.execute<{ count: string }>(sql`select count(*) as count from ${table}${filtered}`),
    read(limit, offset),
  ])
  const count = Number(counted.rows[0]?.count ?? 0)
  const at = (from: number) => addressOf(ctx, options.path, query, limit, from)
  return {
    count,
    next: offset + limit < count ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results,
  }
}

function addressOf(ctx: Context, path: string, query: Query, limit: number, offset: number) {
  const parameters = new URLSearchParams(query)
  parameters.set('limit', String(limit))
  if (offset > 0) parameters.set('offset', String(offset))
  else parameters.delete('offset')
  return `${ctx.origin}${path}?${parameters.toString()}`
}

/** Condition for the id of an address; what cannot be an id is a row that does not exist. */
export function identifiedBy(served: Served, key: string): SQL {
  const { resource, binding } = served
  const isId = resource.integerId ? /^\d{1,9}$/.test(key) : /^[0-9a-f-]{36}$/i.test(key)
  if (isId) return eq(binding.table.id, resource.integerId ? Number(key) : key)
  const other = resource.alsoBy ? columnOf(binding.table, resource.alsoBy) : undefined
  if (other) return eq(other, key)
  throw missing(served)
}
export const missing = (served: Served) => notFound((language) => modelLabel(served.resource, language))

/**
 * A row with all its columns and everything its fields show, unpresented; undefined when it does not exist for this caller. `lock` keeps
 * others from changing it until the transaction ends.
 */
export async function storedRow(
  served: Served,
  ctx: Context,
  condition: SQL,
  options: { lock?: boolean } = {},
): Promise<StoredRow | undefined> {
  const { table } = served.binding
  const fields = Object.entries(served.resource.fields).filter(([, field]) => !field.options.writeOnly)
  const where = and(scopeOf(served, ctx), condition) ?? condition
  if (options.lock) await ctx.db.execute(sql`select 1 from ${table} where ${where} for update`)
  const found = await ctx.db.execute(
    sql`select ${table}.*, ${selectList(served, fields, ctx)} from ${table} where ${where} limit 1`,
  )
  return found.rows[0]
}

export async function retrieveRow(served: Served, ctx: Context, key: string, query: Query) {
  const row = await storedRow(served, ctx, identifiedBy(served, key))
  if (row === undefined) throw missing(served)
  return presentFor(served, ctx, row, 'detail', query)
}

export function presentFor(
  served: Served,
  ctx: Context,
  row: StoredRow,
  on: 'list' | 'detail',
  query: Query = {},
): Record<string, unknown> {
  return presentRow(served, selectedFields(served.resource, ctx, on, query), row, ctx)
}
