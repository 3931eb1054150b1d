/**
 * Counts of a large table, kept instead of counted (docs/decisions/0019). Beside it stands a table with some of its columns and an amount,
 * whose rows are added up when they are read. Triggers (`count_rows`) insert there what each statement changed.
 */
import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Executor, withTransaction } from '../database/index.ts'

export type CountsTable = PgTable & { amount: PgColumn }
/** A table and its counts. */
export interface Counted {
  table: PgTable
  counts: CountsTable
  /** What else triggers keep of the table: makes it good, too, and says how much was wrong. */
  heal?: (db: Executor) => Promise<number>
}

/** Query of the number of a table's rows under a condition that looks at nothing but columns of its counts. One row: `count`. */
export const keptCount = ({ table, counts }: Counted, where: SQL | undefined): SQL =>
  sql`select coalesce(sum(amount), 0) as count from ${counts} as ${table}${where ? sql` where ${where}` : sql``}`

/** The columns a table is counted by. */
const columnsOf = (counts: CountsTable): SQL =>
  sql.join(
    Object.values(getTableColumns(counts))
      .filter((column) => column !== counts.amount)
      .map(({ name }) => sql.identifier(name)),
    sql`, `,
  )

/** Adds together what stands there several times. Several servers may do so at once: each adds up what it has deleted itself. */
export async function compactCounts(db: Executor, { counts }: Counted): Promise<void> {
  const columns = columnsOf(counts)
  await db.execute(
    sql`with gone as (
        delete from ${counts} where (${columns}) in (select ${columns} from ${counts} group by ${columns} having count(*) > 1)
        returning ${columns}, amount)
      insert into ${counts} (${columns}, amount) select ${columns}, sum(amount) from gone group by ${columns} having sum(amount) <> 0`,
  )
}

/**
 * Compares the counts with the table and adds what is missing. One statement sees both as they were at one moment, so whoever writes
 * meanwhile need not stop. @returns how many sums were wrong
 */
export async function healCounts(db: Executor, { table, counts, heal }: Counted): Promise<number> {
  const columns = columnsOf(counts)
  return await withTransaction(db, async (tx) => {
    // Two at once would both add the difference.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`counts ${getTableName(counts)}`}, 0))`,
    )
    const { rows } = await tx.execute(
      sql`insert into ${counts} (${columns}, amount)
        select ${columns}, sum(amount) from (
          select ${columns}, count(*) as amount from ${table} group by ${columns}
          union all
          select ${columns}, -sum(amount) from ${counts} group by ${columns}
        ) as compared group by ${columns} having sum(amount) <> 0 returning amount`,
    )
    return rows.length + ((await heal?.(tx)) ?? 0)
  })
}
