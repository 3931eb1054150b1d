/** What a payload names by its name alone (`{name}`), as people write it into a table: found before the payload is read. */
import { and, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { RelatedTable, Served } from './binding.ts'
import { columnOf, isThrough } from './fields.ts'
import { isRecord } from './nested.ts'
import { arrayOf } from './references.ts'
import { nameable, visibleTo } from './rows.ts'

/** Different names of one field in one payload; the parser refuses what is left of them. */
const maxNames = 1000

interface Named {
  name: string
  pk?: unknown
}
const isNamed = (value: unknown): value is Named =>
  isRecord(value) && typeof value['name'] === 'string' && Object.keys(value).length === 1

/** Puts the id beside each name that one row has which the caller may name; others stay as they are. */
export async function findNames(served: Served, ctx: Context, body: unknown): Promise<void> {
  const rows = (Array.isArray(body) ? body : [body]).filter((row) => isRecord(row))
  for (const [field, relation] of Object.entries(served.binding.relations ?? {})) {
    const kind = served.resource.fields[field]?.kind
    // Where new things are made by their names, they are found there.
    if (relation === undefined || (kind?.kind === 'many' && kind.named)) continue
    const named = rows.flatMap((row) => [row[field]].flat().filter((value) => isNamed(value)))
    if (named.length === 0) continue
    const ids = await idsOf(ctx, isThrough(relation) ? relation.target : relation, named)
    for (const one of named) if (ids.has(one.name)) one.pk = ids.get(one.name)
  }
}

async function idsOf(
  ctx: Context,
  target: RelatedTable,
  named: readonly Named[],
): Promise<ReadonlyMap<string, unknown>> {
  const { table } = target
  const column = columnOf(table, 'name')
  const names = [...new Set(named.map(({ name }) => name))].slice(0, maxNames)
  if (column === undefined) return new Map()
  const where = and(
    sql`${column} = any(${arrayOf(names, column)})`,
    visibleTo(target.rows, ctx),
    nameable(target, ctx, ctx.org.is_root ? undefined : ctx.org.id),
  )
  const { rows } = await ctx.db.execute<{ name: string; id: unknown }>(
    sql`select ${column} as name, min(${table.id}::text) as id from ${table} where ${where} group by 1 having count(*) = 1`,
  )
  return new Map(rows.map(({ name, id }) => [name, id]))
}
