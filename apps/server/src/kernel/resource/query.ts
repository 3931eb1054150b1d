/** From the query string of a list to its conditions and order (kernel.md section 3). Every value is parsed here. */
import { type Field, isUuid, parseDatetime } from '@sallyport/contract'
import { and, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import type { Served } from './binding.ts'
import { columnOf, isThrough, storedIn } from './fields.ts'
import { visibleTo } from './rows.ts'

export type Query = Readonly<Record<string, string>>

const maxTerms = 10
const maxTermLength = 256
const maxIds = 10_000

/** Rows that exist for this caller at all. */
export const scopeOf = ({ binding }: Served, ctx: Context): SQL | undefined =>
  and(visibleTo(binding.rows, ctx), binding.visible?.(ctx))

/** All conditions of a list request; the selection's ids are given by the caller of this function. */
export function conditionsOf(
  served: Served,
  ctx: Context,
  query: Query,
  selected: readonly string[] | undefined,
): { where: SQL | undefined; isFiltered: boolean } {
  const filters = filtersOf(served, ctx, query)
  const search = searchOf(served, query['search'])
  const ids = query['ids'] === undefined ? undefined : idsOf(query['ids'])
  const { id } = served.binding.table
  const narrowing = [
    ...filters,
    search,
    ids && keyed(served, id, ids),
    selected && keyed(served, id, selected),
  ].filter((part) => part !== undefined)
  return { where: and(scopeOf(served, ctx), ...narrowing), isFiltered: narrowing.length > 0 }
}

function keyed(served: Served, id: PgColumn, values: readonly string[]): SQL {
  const usable = served.resource.integerId
    ? values.filter((value) => /^\d{1,9}$/.test(value)).map(Number)
    : values.filter((value) => isUuid(value))
  return usable.length === 0 ? sql`false` : inArray(id, usable)
}

const idsOf = (text: string) => text.split(',', maxIds).filter((part) => part !== '')

/** Names come from the caller: those every object inherits name nothing. */
const ownOf = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined

function filtersOf(served: Served, ctx: Context, query: Query): (SQL | undefined)[] {
  const { resource, binding } = served
  const found: (SQL | undefined)[] = []
  for (const [name, value] of Object.entries(query)) {
    const own = ownOf(binding.filters, name)
    if (own) {
      const kind = resource.filters[name]?.kind
      if (kind === 'uuid' && !isUuid(value)) throw invalid(name, 'not_uuid')
      if (kind === 'integer' && !/^-?\d{1,9}$/.test(value)) throw invalid(name, 'not_integer')
      if (kind === 'datetime' && parseDatetime(value, ctx.zone) === undefined) continue
      if (kind === 'boolean' && !/^(true|false)$/i.test(value)) continue
      found.push(own(value, ctx, query))
      continue
    }
    const field = ownOf(resource.fields, name)
    if (field?.options.filter) found.push(exactly(served, name, field, value))
  }
  return found
}

/** `?field=value`, exact. An impossible value is the caller's mistake; a word that is no boolean is no filter. */
function exactly(served: Served, name: string, field: Field, value: string): SQL | undefined {
  const { kind } = field
  const relation = served.binding.relations?.[name]
  if (kind.kind === 'many' && relation && isThrough(relation)) {
    if (!kind.integerId && !isUuid(value)) throw invalid(name, 'not_uuid')
    return sql`exists (select 1 from ${relation.link} where ${relation.from} = ${served.binding.table.id} and ${relation.to} = ${value})`
  }
  const column = storedIn(served, name, field)
  if (column === undefined) return undefined
  if (kind.kind === 'boolean') {
    const word = value.toLowerCase()
    return word === 'true' || word === 'false' ? eq(column, word === 'true') : undefined
  }
  if (kind.kind === 'choice') {
    const choice = kind.choices.values.find((known) => String(known).toLowerCase() === value.toLowerCase())
    if (choice === undefined) throw invalid(name, 'not_choice', { value: value.slice(0, 100) })
    return eq(column, choice)
  }
  if (kind.kind === 'uuid' || (kind.kind === 'one' && !kind.integerId)) {
    if (!isUuid(value)) throw invalid(name, 'not_uuid')
  } else if (kind.kind === 'integer' || (kind.kind === 'one' && kind.integerId)) {
    if (!/^-?\d{1,9}$/.test(value)) throw invalid(name, 'not_integer')
    return eq(column, Number(value))
  }
  return eq(column, value)
}

const escaped = (term: string) => term.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Every term must be found in one of the searched fields. */
function searchOf(served: Served, text: string | undefined): SQL | undefined {
  const terms = (text ?? '')
    .split(/[\s,]+/)
    .filter((term) => term !== '')
    .slice(0, maxTerms)
    .map((term) => term.slice(0, maxTermLength))
  if (terms.length === 0) return undefined
  const { resource, binding } = served
  const columns = Object.entries(resource.fields).flatMap(([name, field]) => {
    const column = field.options.search ? columnOf(binding.table, name) : undefined
    return column ? [{ column, how: field.options.search, isText: field.kind.kind === 'text' }] : []
  })
  return and(
    ...terms.map(
      (term) =>
        or(
          ...columns.map(({ column, how, isText }) => {
            const subject = isText ? column : sql`${column}::text`
            if (how === 'exact') return sql`lower(${subject}) = lower(${term})`
            return ilike(subject, how === 'prefix' ? `${escaped(term)}%` : `%${escaped(term)}%`)
          }),
          ...(binding.searches ?? []).map((search) =>
            typeof search === 'function'
              ? search(`%${escaped(term)}%`)
              : sql`${search} ilike ${`%${escaped(term)}%`}`,
          ),
        ) ?? sql`false`,
    ),
  )
}

/**
 * `order=name,-date_created`; ends with the id so that pages never overlap, in the direction of what is before it, so that one index on
 * the column and the id serves both directions.
 */
export function orderOf(served: Served, text: string | undefined): SQL {
  const { resource, binding } = served
  const wanted = (text ?? '').split(',', 8).filter((part) => part !== '')
  const names = wanted.length > 0 ? wanted : resource.order
  const parts = names.map((part) => {
    const name = part.replace(/^-/, '')
    const field = ownOf(resource.fields, name)
    const allowed = field !== undefined && (field.options.order || wanted.length === 0)
    const column = allowed ? (columnOf(binding.table, name) ?? undefined) : undefined
    if (column === undefined) throw invalid('order', 'order_unknown')
    if (!part.startsWith('-')) return sql`${column} asc`
    return column.notNull ? sql`${column} desc` : sql`${column} desc nulls last`
  })
  const tie = names.at(-1)?.startsWith('-') ? sql`desc` : sql`asc`
  return sql.join([...parts, sql`${binding.table.id} ${tie}`], sql`, `)
}

/** `limit` and `offset`; undefined limit means the whole list as an array. */
export function pageOf(query: Query, maxLimit: number): { limit: number | undefined; offset: number } {
  const limit = /^\d{1,9}$/.test(query['limit'] ?? '') ? Number(query['limit']) : 0
  const offset = /^\d{1,9}$/.test(query['offset'] ?? '') ? Number(query['offset']) : 0
  return { limit: limit > 0 ? Math.min(limit, maxLimit) : undefined, offset }
}
