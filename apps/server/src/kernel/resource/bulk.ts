/** Arrays in create and update, and deleting what a list shows (kernel.md section 7). All rows or none. */
import { type Problems } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { ApiError, ValidationError } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import type { Mode, Served } from './binding.ts'
import { conditionsOf, type Query } from './query.ts'
import { identifiedBy } from './read.ts'
import { createRow, deleteRows, updateWhere, type Writing } from './write.ts'

const maxRows = 1000

async function each<T>(rows: readonly unknown[], work: (row: unknown) => Promise<T>): Promise<T[]> {
  if (rows.length > maxRows)
    throw new ValidationError({ non_field_errors: [{ key: 'too_many_items', params: { max: maxRows } }] })
  const done: T[] = []
  for (const row of rows) {
    try {
      done.push(await work(row))
    } catch (error) {
      // The body of a bulk error is aligned with the input: `{}` for the rows before the bad one.
      if (error instanceof ValidationError && !Array.isArray(error.problems))
        throw new ValidationError([...done.map((): Problems => ({})), error.problems])
      throw error
    }
  }
  return done
}

export const createRows = (writing: Writing, rows: readonly unknown[]): Promise<StoredRow[]> =>
  each(rows, (row) => createRow(writing, row))

export function updateRows(writing: Writing, mode: Mode, rows: unknown): Promise<StoredRow[]> {
  if (!Array.isArray(rows))
    throw new ValidationError({
      non_field_errors: [{ key: 'not_list', params: { type: rows === null ? 'null' : 'dict' } }],
    })
  return each(rows as unknown[], (row) => {
    const keyed = typeof row === 'object' && row !== null ? (row as { id?: unknown; pk?: unknown }) : {}
    const key = keyed.pk ?? keyed.id
    if (typeof key !== 'string' && typeof key !== 'number')
      throw new ValidationError({ id: [{ key: 'row_without_id' }] })
    return updateWhere(writing, identifiedBy(writing.served, String(key)), mode, row)
  })
}

/**
 * Deletes the rows a filtered list holds. Refused (400, empty body) unless something narrows the list; in resources of the whole system
 * only a selection or ids do.
 */
export async function deleteListed(
  writing: Writing,
  query: Query,
  selected: readonly string[] | undefined,
): Promise<void> {
  const { served, ctx } = writing
  const { where, isFiltered } = conditionsOf(served, ctx, query, selected)
  const byId = selected !== undefined || query['ids'] !== undefined
  const refused = () => new ApiError(400, 'bulk_delete_refused', { body: () => undefined })
  if (!(served.resource.scope === 'system' ? byId : isFiltered)) throw refused()
  await deleteRows(writing, await rowsOf(served, ctx, where))
}

async function rowsOf(served: Served, ctx: Context, where: ReturnType<typeof conditionsOf>['where']) {
  const { table } = served.binding
  const limit = 10_000
  const found = await ctx.db.execute(
    sql`select ${table}.* from ${table}${where ? sql` where ${where}` : sql``} limit ${limit + 1} for update`,
  )
  if (found.rows.length > limit) throw new ApiError(400, 'list_too_long', { params: { max: limit } })
  return found.rows as StoredRow[]
}
