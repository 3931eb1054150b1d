/** Lists and single rows. A page costs two statements: the count and the rows with everything they show. */
import { modelLabel, type Resource } from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import { keptCount } from '../counts/counts.ts'
import { shares, transactionHere } from '../database/index.ts'
import { notFound } from '../errors.ts'
import { valuesOf } from '../http/parse.ts'
import type { FileAnswer, WrittenJson } from '../http/route.ts'
import type { StoredRow } from '../events.ts'
import type { Served } from './binding.ts'
import { columnOf, selectedFields, selectList } from './fields.ts'
import { inPieces } from '../pieces.ts'
import { toldOf } from './policy.ts'
import { presentRow } from './present.ts'
import { conditionsOf, idOf, orderOf, pageOf, type Query, scopeOf } from './query.ts'
import { createTurns } from '../turns.ts'
import { asksForTable, exportList } from '../transfer/export.ts'
import { wholeList } from './whole-list.ts'

/** Lists without `limit` that are no longer than this are read at once; of a longer one (whole-list.ts) others notice nothing. */
const shortList = 500

/** Those of one person leave room for others', and the more so where they take the database long: a few people are not all turns. */
const pageTurns = createTurns({
  atOnce: shares.pages.atOnce,
  atOnceOfOne: 3,
  forOthers: 2,
  slow: { turnMs: 1000, forMs: 30_000 },
  waiting: 400,
  waitingOfOne: 100,
  waitMs: 20_000,
})
/** A gateway asks for many people; in a transaction there is one connection, and who has it does not wait. */
const inTurn = <T>(ctx: Context, work: () => Promise<T>): Promise<T> =>
  ctx.identity?.isComponent === true || transactionHere() !== undefined
    ? work()
    : pageTurns(ctx.identity?.id ?? '', work)

export interface Page {
  count: number
  next: string | null
  previous: string | null
  results: Record<string, unknown>[]
}

interface Listing {
  selected: readonly string[] | undefined
  maxLimit: number
  path: string
  /** The query as the caller sent it, which links of pages repeat; what was asked for, where nothing was added or taken away. */
  sent?: Query
  /** The list ends after its first few rows. */
  atMost?: number | undefined
}

export async function listRows(
  served: Served,
  ctx: Context,
  query: Query,
  options: Listing,
): Promise<Page | Record<string, unknown>[] | WrittenJson | FileAnswer> {
  if (asksForTable(query)) return exportList(served, ctx, query, options)
  const { where, isFiltered } = conditionsOf(served, ctx, query, options.selected)
  const fields = selectedFields(served.resource, ctx, 'list', query)
  const order = orderOf(served, query['order'])
  const { limit, offset } = pageOf(query, options.maxLimit)
  const { table, counts } = served.binding
  const filtered = where ? sql` where ${where}` : sql``
  const counting =
    counts && !isFiltered
      ? keptCount({ table, counts }, where)
      : sql`select count(*) as count from ${table}${filtered}`
  const end = options.atMost ?? Infinity
  const read = async (most: number, from: number) => {
    const count = Math.min(most, Math.max(0, end - from))
    // The page is cut first, so that related objects are gathered for its rows only.
    const page = sql`(select * from ${table}${filtered} order by ${order} limit ${count} offset ${from}) as ${table}`
    // A policy looks at columns that may be no fields.
    const columns = query['may'] === '1' ? sql`${table}.*, ` : sql``
    const found = await ctx.db.execute(
      sql`select ${columns}${selectList(served, fields, ctx)} from ${page} order by ${order}`,
    )
    return found.rows.map((row) => toldOf(served, ctx, presentRow(served, fields, row, ctx), row, query))
  }
  if (limit === undefined) {
    const rows = await inTurn(ctx, () => read(shortList + 1, offset))
    if (rows.length <= shortList) return rows
    const most = Math.max(0, end - offset)
    return await wholeList(served, ctx, query, where, { selected: options.selected, offset, most })
  }
  const [counted, results] = await inTurn(ctx, () =>
    Promise.all([ctx.db.execute<{ count: string }>(counting), read(limit, offset)]),
  )
  const count = Math.min(Number(counted.rows[0]?.count ?? 0), end)
  return { ...pageLinks(ctx, options.path, options.sent ?? query, { limit, offset, count }), results }
}

/** The organizations whose rows a list shows to this query: those of its page, where a page was asked for. */
export async function organizationsListed(
  served: Served,
  column: PgColumn,
  ctx: Context,
  query: Query,
  { selected, maxLimit }: Pick<Listing, 'selected' | 'maxLimit'>,
): Promise<string[]> {
  const { where } = conditionsOf(served, ctx, query, selected)
  const { limit, offset } = pageOf(query, maxLimit)
  const { table } = served.binding
  const found = await ctx.db.execute<{ org: string }>(
    sql`select distinct org
      from (
        select ${column} as org
        from ${table}${where ? sql` where ${where}` : sql``}
        order by ${orderOf(served, query['order'])}
        limit ${limit ?? null} offset ${offset}) as page`,
  )
  return found.rows.map(({ org }) => org)
}

/** What a page says besides its results; `query` as the caller sent it. */
export function pageLinks(
  ctx: Context,
  path: string,
  query: Query,
  { limit, offset, count }: { limit: number; offset: number; count: number },
): Omit<Page, 'results'> {
  const at = (from: number) => addressOf(ctx, path, query, limit, from)
  return {
    count,
    next: offset + limit < count ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
  }
}

function addressOf(ctx: Context, path: string, query: Query, limit: number, offset: number) {
  const parameters = new URLSearchParams(
    Object.keys(query).flatMap((name) => valuesOf(query, name).map((value) => [name, value])),
  )
  parameters.set('limit', String(limit))
  if (offset > 0) parameters.set('offset', String(offset))
  else parameters.delete('offset')
  return `${ctx.origin}${path}?${parameters.toString()}`
}

/** Condition for the id of an address; what cannot be an id is a row that does not exist. */
export function identifiedBy(served: Served, key: string): SQL {
  const { resource, binding } = served
  const id = idOf(served, key)
  if (id !== undefined) return eq(binding.table.id, id)
  const other = resource.alsoBy ? columnOf(binding.table, resource.alsoBy) : undefined
  if (other) return eq(other, key)
  throw missing(served)
}
/** Whether there is such a row for this caller. */
export async function isThere(served: Served, ctx: Context, key: string): Promise<boolean> {
  const id = idOf(served, key)
  if (id === undefined && served.resource.alsoBy === undefined) return false
  const { table } = served.binding
  const where = and(scopeOf(served, ctx), identifiedBy(served, key))
  const { rows } = await ctx.db.execute(sql`select 1 from ${table} where ${where} limit 1`)
  return rows.length > 0
}
export const missing = (served: Served) => notFound((language) => modelLabel(served.resource, language))

/**
 * Rows with all their columns and everything their fields show, unpresented; those that do not exist for this caller are left out,
 * unless they are asked for `unseen`. `lock` keeps others from changing them until the transaction ends.
 */
export async function storedRows<Row extends StoredRow>(
  served: Served<Row>,
  ctx: Context,
  condition: SQL,
  options: { lock?: boolean; unseen?: boolean } = {},
): Promise<Row[]> {
  const { table } = served.binding
  const fields = Object.entries(served.resource.fields).filter(([, field]) => !field.options.writeOnly)
  const where = and(options.unseen ? undefined : scopeOf(served, ctx), condition) ?? condition
  if (options.lock) await served.binding.locking?.(ctx)
  // In one order, so that two who lock the same rows do not wait for each other.
  if (options.lock)
    await ctx.db.execute(sql`select 1 from ${table} where ${where} order by ${table.id} for update`)
  const found = await ctx.db.execute(
    sql`select ${table}.*, ${selectList(served, fields, ctx)} from ${table} where ${where}`,
  )
  return found.rows as Row[]
}

/** One such row. */
export async function storedRow<Row extends StoredRow>(
  served: Served<Row>,
  ctx: Context,
  condition: SQL,
  options: { lock?: boolean } = {},
): Promise<Row | undefined> {
  const [row] = await storedRows(served, ctx, condition, options)
  return row
}

export function presentFor(
  served: { resource: Resource; binding: Pick<Served['binding'], 'present'> },
  ctx: Context,
  row: StoredRow,
  on: 'list' | 'detail',
  query: Query = {},
): Record<string, unknown> {
  return presentRow(served, selectedFields(served.resource, ctx, on, query), row, ctx)
}

/** All rows of one write, as a list shows them. */
export async function presentAll(served: Served, ctx: Context, rows: readonly StoredRow[]) {
  const fields = selectedFields(served.resource, ctx, 'list', {})
  return await Array.fromAsync(inPieces(rows), (row) => presentRow(served, fields, row, ctx))
}
