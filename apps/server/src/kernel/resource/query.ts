/** From the query string of a list to its conditions and order. Every value is parsed here. */
import {
  type Field,
  type Filter,
  type Kind,
  containedIn,
  isFoundByParts,
  isSortable,
  uuidIn,
  modelOf,
  parseDatetime,
} from '@sallyport/contract'
import { and, Column, ilike, inArray, is, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { beginning, containing } from '../database/index.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { valuesOf } from '../http/parse.ts'
import type { Served } from './binding.ts'
import { columnOf, isThrough, mayRead, storedIn } from './fields.ts'
import { arrayOf } from './references.ts'
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
  const search = searchOf(served, ctx, query['search'])
  const ids = query['ids'] === undefined ? undefined : idsOf(served, query['ids'])
  const { id } = served.binding.table
  const narrowing = [
    ...filters,
    search,
    ids && keyed(served, id, ids),
    selected && keyed(served, id, selected),
  ].filter((part) => part !== undefined)
  return { where: and(scopeOf(served, ctx), ...narrowing), isFiltered: narrowing.length > 0 }
}

/** An id as the table has it; undefined for what cannot be one. */
export function idOf({ resource }: Served, key: string): string | number | undefined {
  if (resource.integerId) return /^\d{1,9}$/.test(key) ? Number(key) : undefined
  return uuidIn(key)
}

function keyed(served: Served, id: PgColumn, values: readonly string[]): SQL {
  const usable = values.map((value) => idOf(served, value)).filter((value) => value !== undefined)
  return usable.length === 0 ? sql`false` : sql`${id} = any(${arrayOf(usable, id)})`
}

/** @throws ValidationError on what is no id: without it a list would show, or lose, something else than was asked for */
function idsOf(served: Served, text: string): string[] {
  const parts = text.split(',', maxIds).map((part) => part.trim())
  const ids = parts.filter((part) => part !== '')
  if (ids.length === 0 || ids.some((id) => idOf(served, id) === undefined))
    throw invalid('ids', served.resource.integerId ? 'not_integer' : 'not_uuid')
  return ids
}

/** Names come from the caller: those every object inherits name nothing. */
const ownOf = <Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined =>
  record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined

/** Whether a parameter narrows the list by a field or a filter; several values of one are alternatives. */
export const isFilter = ({ resource, binding }: Served, name: string): boolean =>
  ownOf(binding.filters, name) !== undefined ||
  Boolean(ownOf(resource.fields, name)?.options.filter) ||
  fieldFoundBy(resource, name) !== undefined

/** The field a parameter finds by parts. */
const fieldFoundBy = ({ fields }: Served['resource'], parameter: string): string | undefined =>
  Object.entries(fields).find(
    ([name, field]) => isFoundByParts(field) && containedIn(name) === parameter,
  )?.[0]

/** Of a filter that makes a condition of each value, which may look at every row. */
const maxAlternatives = 50

/** Each parameter narrows; several values of one are alternatives, unless the filter says otherwise. @throws ValidationError on the parameter that cannot be understood */
function filtersOf(served: Served, ctx: Context, query: Query): (SQL | undefined)[] {
  const { resource, binding } = served
  const found: (SQL | undefined)[] = []
  for (const name of Object.keys(query)) {
    const part = fieldFoundBy(resource, name)
    const field = ownOf(resource.fields, part ?? name)
    if (served.withheld?.has(part ?? name)) throw invalid(name, 'permission_denied')
    const asked = ownOf(resource.filters, name)
    const values = valuesOf(query, name)
    if (part !== undefined) {
      if (field && !mayRead(field, ctx)) throw invalid(name, 'permission_denied')
      if (values.length > maxAlternatives) throw invalid(name, 'too_many_items', { max: maxAlternatives })
      found.push(or(...values.map((value) => contains(served, part, value, ctx) ?? sql`false`)))
      continue
    }
    if (asked?.kind === 'modifier') for (const value of values) booleanOf(name, value)
    const own = ownOf(binding.filters, name)
    if (own === undefined && !field?.options.filter) continue
    // Which rows there are would tell what is in them.
    if (field && !mayRead(field, ctx)) throw invalid(name, 'permission_denied')
    if (own === undefined) {
      found.push(field && isAnyOf(served, name, field, values, ctx))
      continue
    }
    if (values.length > maxAlternatives) throw invalid(name, 'too_many_items', { max: maxAlternatives })
    const declared = asked?.kind ?? (field?.kind.kind === 'boolean' ? 'boolean' : 'text')
    const alternatives = values.map((value) => own(understood(name, declared, value, ctx), ctx, query))
    const joined = asked?.every ? and : or
    found.push(alternatives.includes(undefined) ? undefined : joined(...alternatives))
  }
  return found
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
])
function booleanOf(name: string, value: string): boolean {
  const found = truths.get(value.toLowerCase())
  if (found === undefined) throw invalid(name, 'not_boolean')
  return found
}
function uuidOf(name: string, value: string): string {
  const id = uuidIn(value)
  if (id === undefined) throw invalid(name, 'not_uuid')
  return id
}
const isInteger = (value: string) => /^-?\d{1,9}$/.test(value)

/** The value as a binding's own filter gets it: booleans as `true` and `false`. */
function understood(name: string, kind: Filter['kind'], value: string, ctx: Context): string {
  if (kind === 'boolean') return String(booleanOf(name, value))
  if (kind === 'uuid') return uuidOf(name, value)
  if (kind === 'integer' && !isInteger(value)) throw invalid(name, 'not_integer')
  if (kind === 'datetime' && parseDatetime(value, ctx.zone) === undefined) throw invalid(name, 'not_datetime')
  return value
}

/** `?field=value`, exact; of several values, any. */
function isAnyOf(
  served: Served,
  name: string,
  field: Field,
  values: readonly string[],
  ctx: Context,
): SQL | undefined {
  const { kind } = field
  const relation = served.binding.relations?.[name]
  const exact = values.map((value) => exactly(name, kind, value, ctx))
  if (kind.kind === 'many' && relation && isThrough(relation))
    return sql`exists (
      select 1
      from ${relation.link}
      where ${relation.from} = ${served.binding.table.id} and ${inArray(relation.to, exact)})`
  const column = storedIn(served, name, field)
  return column && inArray(column, exact)
}

/** Whether a field holds the text, or a code whose words do; undefined where it holds no such code. */
function contains({ binding }: Served, name: string, text: string, ctx: Context): SQL | undefined {
  const column = columnOf(binding.table, name)
  if (column === undefined) return undefined
  const codesOf = ownOf(binding.codes, name)
  if (codesOf === undefined) return ilike(column, containing(text))
  const codes = codesOf(text, ctx)
  return codes.length === 0 ? undefined : inArray(column, [...codes])
}

/** A value as the column has it. */
function exactly(name: string, kind: Kind, value: string, ctx: Context): unknown {
  switch (kind.kind) {
    case 'one':
    case 'many':
      if (!kind.integerId) return uuidOf(name, value)
      if (!isInteger(value)) throw invalid(name, 'not_integer')
      return value
    case 'boolean':
      return booleanOf(name, value)
    case 'choice': {
      const word = value.toLowerCase()
      const said = kind.choices.values.includes(true) ? (truths.get(word) ?? word) : word
      const choice = kind.choices.values.find((known) => String(known).toLowerCase() === String(said))
      if (choice === undefined) throw invalid(name, 'not_choice', { value: value.slice(0, 100) })
      return choice
    }
    case 'uuid':
      return understood(name, 'uuid', value, ctx)
    case 'integer':
      return Number(understood(name, 'integer', value, ctx))
    case 'float':
      if (!/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) throw invalid(name, 'not_number')
      return Number(value)
    case 'datetime': {
      const date = parseDatetime(value, ctx.zone)
      if (date === undefined) throw invalid(name, 'not_datetime')
      return date
    }
    default:
      return value
  }
}

/** The values of a field that has but a few. */
const fewOf = (kind: Kind): readonly (string | number | boolean)[] | undefined =>
  kind.kind === 'boolean' ? [true, false] : kind.kind === 'choice' ? kind.choices.values : undefined

/** Those of them the term is found in: no column is read for a term that is in none, and the indexes of the others are of use. */
function amongValues(column: PgColumn, values: readonly unknown[], term: string): SQL | undefined {
  const found = values.filter((value) => String(value).toLowerCase().includes(term.toLowerCase()))
  return found.length === 0 ? undefined : inArray(column, found)
}

/** What `?search=` asks for. */
export const termsOf = (text = ''): string[] =>
  text
    .split(/[\s,]+/)
    .filter((term) => term !== '')
    .slice(0, maxTerms)
    .map((term) => term.slice(0, maxTermLength))

/** Every term must be found in one of the searched fields. */
function searchOf(served: Served, ctx: Context, text: string | undefined): SQL | undefined {
  const terms = termsOf(text)
  if (terms.length === 0) return undefined
  const { resource, binding } = served
  const columns = Object.entries(resource.fields).flatMap(([name, field]) => {
    const column = field.options.search ? columnOf(binding.table, name) : undefined
    return column ? [{ name, column, how: field.options.search, kind: field.kind }] : []
  })
  return and(
    ...terms.map(
      (term) =>
        or(
          ...columns.map(({ name, column, how, kind }) => {
            if (ownOf(binding.codes, name)) return contains(served, name, term, ctx)
            const few = fewOf(kind)
            if (few !== undefined) return amongValues(column, few, term)
            const subject = kind.kind === 'text' ? column : sql`${column}::text`
            if (how === 'exact') return sql`lower(${subject}) = lower(${term})`
            return ilike(subject, how === 'prefix' ? beginning(term) : containing(term))
          }),
          ...(binding.searches ?? []).map((search) =>
            typeof search === 'function'
              ? search(containing(term), ctx)
              : sql`${search} ilike ${containing(term)}`,
          ),
        ) ?? sql`false`,
    ),
  )
}

/** What `?order=` sorts by for a field: its own column, or what the binding says; undefined where the list does not sort by it. */
export function sortedBy({ resource, binding }: Served, name: string): PgColumn | SQL | undefined {
  const field = ownOf(resource.fields, name)
  if (field === undefined || !isSortable(field)) return undefined
  const own = ownOf(binding.orders, name)
  if (own !== undefined) return own
  return ownOf(binding.computed, name) === undefined ? columnOf(binding.table, name) : undefined
}

/** What `?order=` sorts by, with `-` in front where it is backwards. */
export const namesOf = (text = ''): string[] => text.split(',', 8)

/**
 * `order=name,-date_created`; names the list does not sort by are dropped, and without any other its own order holds. Sorted by what its
 * own order begins with, it goes on as that does: commands of one second stay as they were typed.
 * Ends with the id so that pages never overlap, in the direction of what is before it, so that one index on the column and the id serves
 * both directions.
 * @throws ValidationError on a field that the caller may not read
 */
export function orderOf(served: Served, text: string | undefined): SQL {
  const { resource, binding } = served
  const nameIn = (part: string) => part.replace(/^-/, '')
  const asked = namesOf(text)
  if (asked.some((part) => served.withheld?.has(nameIn(part)))) throw invalid('order', 'permission_denied')
  const wanted = asked.filter((part) => sortedBy(served, nameIn(part)) !== undefined)
  const sortingOf = (part: string): Sorting => {
    const name = nameIn(part)
    const by = sortedBy(served, name) ?? ownOf(binding.orders, name) ?? columnOf(binding.table, name)
    return { by, isDescending: part.startsWith('-') }
  }
  const own = resource.order.map(sortingOf)
  const sorting = wanted.map(sortingOf)
  const parts = sorting.length > 0 ? [...sorting, ...goingOn(sorting, own)] : own
  const tie = parts.at(-1)?.isDescending ? sql`desc` : sql`asc`
  const sorted = parts.map(({ by, isDescending }) => {
    if (by === undefined) throw new Error(`${modelOf(resource)} is ordered by what is no column`)
    if (!isDescending) return sql`${by} asc`
    return is(by, Column) && by.notNull ? sql`${by} desc` : sql`${by} desc nulls last`
  })
  return sql.join([...sorted, sql`${binding.table.id} ${tie}`], sql`, `)
}

interface Sorting {
  by: PgColumn | SQL | undefined
  isDescending: boolean
}
/** What a list's own order says behind its first part, where it is sorted by that alone; the other way round where that is. */
function goingOn(sorting: readonly Sorting[], [first, ...further]: readonly Sorting[]): Sorting[] {
  const [asked, ...more] = sorting
  if (more.length > 0 || asked?.by !== first?.by) return []
  const isTurned = asked?.isDescending !== first?.isDescending
  return further.map(({ by, isDescending }) => ({ by, isDescending: isDescending !== isTurned }))
}

/** `limit` and `offset`, however many digits they have; undefined limit means the whole list as an array, from its beginning. */
export function pageOf(query: Query, maxLimit: number): { limit: number | undefined; offset: number } {
  const limit = amountIn(query['limit'])
  if (limit === 0) return { limit: undefined, offset: 0 }
  return { limit: Math.min(limit, maxLimit), offset: amountIn(query['offset']) }
}
const amountIn = (text = '') => (/^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : 0)
