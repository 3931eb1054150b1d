/** The statements that write: all rows of one shape at once, and a violated constraint as problems of the rows and fields it is about. */
import { addProblem, type Field, parseDatetime, type Problem, type Problems } from '@sallyport/contract'
import { randomUUID } from 'node:crypto'
import { eq, getTableColumns, is, type SQL, sql } from 'drizzle-orm'
import { getTableConfig, PgColumn, PgUUID } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import { ApiError, ValidationError } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import type { Secrets } from '../secrets/index.ts'
import type { Input, Served } from './binding.ts'
import { columnOf, storedIn } from './fields.ts'
import { kept, sealed } from './nested.ts'
import { arrayOf } from './references.ts'

/** Values by the name of their column. */
export type Values = ReadonlyMap<string, unknown>

/**
 * Column values of an input; fields that are no column of the table (many-to-many, those for hooks only) are left out.
 * @throws Error on a name that is neither field nor column: a hook has misspelt it
 */
export function columnsOf(
  served: Served,
  ctx: Context,
  secrets: Secrets,
  input: Input,
  before: StoredRow | undefined,
): Map<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, value] of Object.entries(input)) {
    // Ids are the server's.
    if (value === undefined || name === 'id') continue
    const field = served.resource.fields[name]
    const column = field ? storedIn(served, name, field) : columnOf(served.binding.table, name)
    if (field === undefined && column === undefined)
      throw new Error(`${served.resource.model}: a hook answered ${name}, which is neither field nor column`)
    if (column === undefined) continue
    values.set(
      column.name,
      field ? stored(field, value, ctx, secrets, before?.[column.name]) : columnValue(value),
    )
  }
  return values
}
const columnValue = (value: unknown) =>
  typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value

function stored(field: Field, value: unknown, ctx: Context, secrets: Secrets, before: unknown): unknown {
  if (value === null) return null
  switch (field.kind.kind) {
    case 'datetime':
      return typeof value === 'string' ? parseDatetime(value, ctx.zone) : value
    case 'secret':
      return sealed(field, value, secrets, ctx.zone)
    case 'object':
    case 'objects':
      return JSON.stringify(kept(field, sealed(field, value, secrets, ctx.zone), before))
    case 'json':
    case 'attributes':
    case 'list':
      return JSON.stringify(value)
    default:
      return value
  }
}

/** Rows that set the same columns, so that one statement writes them; each with its place among all. */
function byShape(rows: readonly Values[]): { names: string[]; at: number[] }[] {
  const shapes = new Map<string, { names: string[]; at: number[] }>()
  for (const [index, row] of rows.entries()) {
    const names = [...row.keys()]
    const key = names.toSorted().join(' ')
    const shape = shapes.get(key)
    if (shape) shape.at.push(index)
    else shapes.set(key, { names, at: [index] })
  }
  return [...shapes.values()]
}

function columnNamed(served: Served, name: string): PgColumn {
  const column = Object.values(getTableColumns(served.binding.table)).find((one) => one.name === name)
  if (column === undefined) throw new Error(`${served.resource.model}: no column ${name}`)
  return column
}
const columnArrays = (served: Served, names: readonly string[], rows: readonly Values[]): SQL[] =>
  names.map((name) =>
    arrayOf(
      rows.map((row) => row.get(name) ?? null),
      columnNamed(served, name),
    ),
  )
const aliases = (names: readonly string[]) => names.map((_name, index) => sql.raw(`c${index}`))

/** Inserts the rows and answers them as the table has them, in the order given. */
export async function insertRows(
  served: Served,
  ctx: Context,
  rows: readonly Values[],
): Promise<StoredRow[]> {
  const { table } = served.binding
  const made = Array.from<StoredRow>({ length: rows.length })
  for (const { names, at } of byShape(rows)) {
    const hasUuid = is(table.id, PgUUID)
    const given = at.map((index) => {
      const row = new Map(rows[index])
      if (hasUuid) row.set('id', randomUUID())
      return row
    })
    const all = hasUuid ? [...names, 'id'] : names
    const columns = sql.join(
      all.map((name) => sql.identifier(name)),
      sql`, `,
    )
    const items = sql.join(aliases(all), sql`, `)
    const inserted = await ctx.db.execute(
      sql`insert into ${table} (${columns}) select ${items}
        from unnest(${sql.join(columnArrays(served, all, given), sql`, `)}) with ordinality as item (${items}, at)
        order by at returning *`,
    )
    const stored = inserted.rows as StoredRow[]
    if (hasUuid) {
      const known = new Map(stored.map((row) => [row['id'], row]))
      for (const [index, row] of given.entries()) place(made, at[index], known.get(row.get('id')))
    } else {
      // Numbers are given in the order of the rows.
      const ordered = stored.toSorted((a, b) => Number(a['id']) - Number(b['id']))
      for (const [index, row] of ordered.entries()) place(made, at[index], row)
    }
  }
  return made
}
function place(made: StoredRow[], at: number | undefined, row: StoredRow | undefined): void {
  if (at === undefined || row === undefined) throw new Error('an inserted row was not answered')
  made[at] = row
}

/** Updates each row by its id; answers them as the table has them, in the order given. */
export async function updateStored(
  served: Served,
  ctx: Context,
  rows: readonly { before: StoredRow; values: Values }[],
): Promise<StoredRow[]> {
  const { table } = served.binding
  const after = rows.map(({ before }) => before)
  for (const { names, at } of byShape(rows.map(({ values }) => values))) {
    if (names.length === 0) continue
    const changed = at.flatMap((index) => rows[index] ?? [])
    const sets = names.map((name, index) => sql`${sql.identifier(name)} = item.${sql.raw(`c${index}`)}`)
    const updated = await ctx.db.execute(
      sql`update ${table} set ${sql.join(sets, sql`, `)} from unnest(${arrayOf(
        changed.map(({ before }) => before['id']),
        table.id,
      )}, ${sql.join(
        columnArrays(
          served,
          names,
          changed.map(({ values }) => values),
        ),
        sql`, `,
      )}) as item (id, ${sql.join(aliases(names), sql`, `)}) where ${table.id} = item.id returning ${table}.*`,
    )
    const known = new Map((updated.rows as StoredRow[]).map((row) => [row['id'], row]))
    for (const index of at) after[index] = known.get(rows[index]?.before['id']) ?? after[index] ?? {}
  }
  return after
}

interface Unique {
  columns: PgColumn[]
  fields: string[]
}
/** Plain unique constraints of the table; indexes with conditions or expressions are left to the database. */
function uniquesOf(served: Served): Unique[] {
  const { uniqueConstraints } = getTableConfig(served.binding.table)
  const single = Object.values(getTableColumns(served.binding.table)).filter(
    (column) => column.isUnique && column.uniqueName !== undefined,
  )
  return [
    ...uniqueConstraints.map(({ columns }) => columns.map((column) => columnNamed(served, column.name))),
    ...single.map((column) => [column]),
  ].map((columns) => ({ columns, fields: fieldsOfColumns(served, columns) }))
}
function fieldsOfColumns(served: Served, columns: readonly { name: string }[]): string[] {
  const { rows } = served.binding
  return columns
    .map(({ name }) => name)
    .filter((name) => !('column' in rows && rows.of !== 'through' && rows.column.name === name))
    .map((name) => (name in served.resource.fields ? name : name.replace(/_id$/, '')))
}

/** The problems of each row that would be the second with values that must be unique, among themselves or beside what is stored. */
export async function uniqueProblems(
  served: Served,
  ctx: Context,
  rows: readonly { values: Values; before: StoredRow | undefined }[],
): Promise<Problems[]> {
  const problems = rows.map((): Problems => ({}))
  const { table } = served.binding
  for (const { columns, fields } of uniquesOf(served)) {
    const wanted = rows.flatMap(({ values, before }, at) => {
      if (!columns.some(({ name }) => values.has(name))) return []
      const key = columns.map(({ name }) => (values.has(name) ? values.get(name) : before?.[name]) ?? null)
      return key.includes(null) ? [] : [{ at, key, id: before?.['id'] ?? null }]
    })
    if (wanted.length === 0) continue
    const names = columns.map(({ name }) => name)
    const found = await ctx.db.execute<{ at: string }>(
      sql`select item.at from unnest(${arrayOf(
        wanted.map(({ id }) => id),
        table.id,
      )}, ${sql.join(
        columns.map((column, index) =>
          arrayOf(
            wanted.map(({ key }) => key[index]),
            column,
          ),
        ),
        sql`, `,
      )}) with ordinality as item (id, ${sql.join(aliases(names), sql`, `)}, at) join ${table} on ${sql.join(
        columns.map((column, index) => eq(column, sql.raw(`item.c${index}`))),
        sql` and `,
      )} where ${table.id} is distinct from item.id`,
    )
    const taken = new Set(found.rows.map(({ at }) => wanted[Number(at) - 1]?.at))
    const seen = new Set<string>()
    for (const { at, key } of wanted) {
      const text = JSON.stringify(key)
      const of = problems[at]
      if (of && (seen.has(text) || taken.has(at)))
        for (const [name, told] of Object.entries(notUnique(served, fields)))
          for (const problem of told) if (!isTold(of[name], problem)) addProblem(of, [name], problem)
      seen.add(text)
    }
  }
  return problems
}
const isTold = (known: Problems[string] | undefined, { key, params }: Problem) =>
  Array.isArray(known) &&
  (known as Problem[]).some((one) => one.key === key && one.params?.['fields'] === params?.['fields'])
/** Of values that belong to one row together, as of a pair, none is wrong by itself. */
const notUnique = (
  { resource: { pair }, binding: { together = [] } }: Served,
  fields: readonly string[],
): Record<string, Problem[]> => {
  const set = [...(pair ? [pair] : []), ...together].find(
    (one) => one.length === fields.length && fields.every((name) => one.includes(name)),
  )
  if (set) return { non_field_errors: [{ key: 'unique_set', params: { fields: set.join(', ') } }] }
  return fields.length === 0
    ? { non_field_errors: [{ key: 'unique' }] }
    : Object.fromEntries(fields.map((name) => [name, [{ key: 'unique' }]]))
}

interface Violation {
  code: string
  constraint: string | undefined
}
function violationOf(error: unknown): Violation | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && /^23\d{3}$/.test(cause.code))
      return {
        code: cause.code,
        constraint:
          'constraint' in cause && typeof cause.constraint === 'string' ? cause.constraint : undefined,
      }
  return undefined
}

/** A violated unique index becomes a problem of its fields. */
export async function unlessTaken<T>(served: Served, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const violation = violationOf(error)
    if (violation?.code !== '23505') throw error
    throw new ValidationError(notUnique(served, fieldsOf(served, violation.constraint)))
  }
}
export async function unlessReferenced<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violationOf(error)?.code === '23503')
      throw new ApiError(400, 'referenced_by_others', { cause: error })
    throw error
  }
}

/** The fields of a unique index or constraint, without the organization it is unique in. */
function fieldsOf(served: Served, constraint: string | undefined): string[] {
  if (constraint === undefined) return []
  const { uniqueConstraints, indexes, primaryKeys } = getTableConfig(served.binding.table)
  const columns =
    uniqueConstraints.find((one) => one.getName() === constraint)?.columns ??
    indexes
      .find((one) => one.config.name === constraint)
      ?.config.columns.filter((column): column is PgColumn => is(column, PgColumn)) ??
    primaryKeys.find((one) => one.getName() === constraint)?.columns ??
    Object.values(getTableColumns(served.binding.table)).filter(
      (column) => column.isUnique && column.uniqueName === constraint,
    )
  return fieldsOfColumns(served, columns)
}
