/** All rows of a list, a batch at a time, in the list's order and as one moment had them: for what is too long to hold at once. */
import type { Field } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { statementTimeoutMs, withTransaction } from '../database/index.ts'
import type { Served } from './binding.ts'
import { selectedFields, selectList } from './fields.ts'
import { toldOf } from './policy.ts'
import { presentRow } from './present.ts'
import { conditionsOf, orderOf, type Query } from './query.ts'

const batchSize = 500

/** Which part of a list is walked. */
export interface Walk {
  selected: readonly string[] | undefined
  offset: number
  /** At most so many rows; Infinity for all. */
  most: number
  /** What is read of each row, where it is not what the list shows. */
  fields?: readonly [string, Field][]
}

/**
 * Hands the presented rows a filtered list holds to `take`, at most 500 at once, and waits for it before it reads on. The database keeps
 * the place (a cursor in a transaction of its own), so memory is bounded however long the list is. Whoever reads it has a share of their own, and more time than for a page.
 */
export async function walkRows(
  served: Served,
  ctx: Context,
  query: Query,
  { selected, offset, most, fields = selectedFields(served.resource, ctx, 'list', query) }: Walk,
  take: (rows: Record<string, unknown>[]) => Promise<void>,
): Promise<void> {
  const { where } = conditionsOf(served, ctx, query, selected)
  const { table } = served.binding
  const cursor = sql.identifier(`walk_${randomUUID().replaceAll('-', '')}`)
  // A policy looks at columns that may be no fields.
  const columns = query['may'] === '1' ? sql`${table}.*, ` : sql``
  const part = sql`${most === Infinity ? sql`` : sql` limit ${sql.raw(String(most))}`}
    ${offset === 0 ? sql`` : sql`offset ${sql.raw(String(offset))}`}`
  await withTransaction(ctx.db, async (tx) => {
    await tx.execute(sql.raw(`set local statement_timeout = ${statementTimeoutMs}`))
    await tx.execute(
      sql`declare ${cursor} no scroll cursor for
        select ${columns}${selectList(served, fields, ctx)}
        from ${table}${where ? sql` where ${where}` : sql``}
        order by ${orderOf(served, query['order'])}${part}`,
    )
    for (;;) {
      const found = await tx.execute(sql`fetch ${sql.raw(String(batchSize))} from ${cursor}`)
      const rows = found.rows.map((row) =>
        toldOf(served, ctx, presentRow(served, fields, row, ctx), row, query),
      )
      if (rows.length > 0) await take(rows)
      if (found.rows.length < batchSize) break
    }
    await tx.execute(sql`close ${cursor}`)
  })
}
