import { and, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Executor } from './transaction.ts'

const manyAtOnce = 1000

/** SQL: the moment that many days ago. */
export const daysAgo = (days: number): SQL => sql`now() - ${days}::int * interval '1 day'`

interface OldRows {
  table: PgTable & { id: PgColumn }
  /** Their age. */
  date: PgColumn
  keepDays: number
  /** What else has to be true of them. */
  where?: SQL
  /** How many go in one statement, where each takes many rows of other tables along; 1000 unless said. */
  atOnce?: number
  signal: AbortSignal
  /** Told after every statement. */
  onRemoved?: (count: number) => void
}

/** Deletes what is older than `keepDays`, so many at a time that nobody waits for it. @returns how many @throws the signal's reason */
export async function removeOldRows(
  db: Executor,
  { table, date, keepDays, where, atOnce = manyAtOnce, signal, onRemoved }: OldRows,
): Promise<number> {
  let removed = 0
  for (;;) {
    signal.throwIfAborted()
    const old = db
      .select({ id: table.id })
      .from(table)
      .where(and(lt(date, daysAgo(keepDays)), where))
      .limit(atOnce)
    const gone = await db.delete(table).where(inArray(table.id, old)).returning({ id: table.id })
    removed += gone.length
    onRemoved?.(gone.length)
    if (gone.length < atOnce) return removed
  }
}
