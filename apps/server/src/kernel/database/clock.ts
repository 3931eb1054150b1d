import { sql } from 'drizzle-orm'
import type { Executor } from './transaction.ts'

/** SQL: now in milliseconds with their fractions, by the one clock all servers share; unlike `now()` it goes on in a transaction. */
export const clockMs = sql`(extract(epoch from clock_timestamp())::float8 * 1000)`

export async function clockOf(db: Executor): Promise<number> {
  const { rows } = await db.execute<{ ms: number }>(sql`select ${clockMs} as ms`)
  return rows[0]?.ms ?? Number.NaN
}
