/** All rows of a list, a batch at a time, in the list's order and as one moment had them: for what is too long to hold at once. */
import { sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { withTransaction } from '../database/index.ts'
import type { Served } from './binding.ts'
import { selectedFields, selectList } from './fields.ts'
import { presentRow } from './present.ts'
import { conditionsOf, orderOf, type Query } from './query.ts'

const batchSize = 500

/**
 * Hands the presented rows a filtered list holds to `take`, at most 500 at once, and waits for it before it reads on. The database keeps
 * the place (a cursor in a transaction of its own), so memory is bounded however long the list is.
 */
export async function walkRows(
  served: Served,
  ctx: Context,
  query: Query,
  selected: readonly string[] | undefined,
  take: (rows: Record<string, unknown>[]) => Promise<void>,
): Promise<void> {
  const { where } = conditionsOf(served, ctx, query, selected)
  const fields = selectedFields(served.resource, ctx, 'list', query)
  const { table } = served.binding
  const cursor = sql.identifier(`walk_${randomUUID().replaceAll('-', '')}`)
  await withTransaction(ctx.db, async (tx) => {
    await tx.execute(
      sql`declare ${cursor} no scroll cursor for select ${selectList(served, fields, ctx)} from ${table}${where ? sql` where ${where}` : sql``} order by ${orderOf(served, query['order'])}`,
    )
    for (;;) {
      const found = await tx.execute(sql`fetch ${sql.raw(String(batchSize))} from ${cursor}`)
      if (found.rows.length > 0) await take(found.rows.map((row) => presentRow(served, fields, row, ctx)))
      if (found.rows.length < batchSize) break
    }
    await tx.execute(sql`close ${cursor}`)
  })
}
