import { sql } from 'drizzle-orm'
import type { Database } from '../database/index.ts'

/** While `work` runs, nobody reads the table; nor, `in` the mode `share`, writes to it. */
export async function whileLocked<T>(
  { pool }: Pick<Database, 'pool'>,
  table: string,
  work: () => Promise<T>,
  { in: mode = 'access exclusive' }: { in?: 'access exclusive' | 'share' } = {},
): Promise<T> {
  const locker = await pool.connect()
  try {
    await locker.query(`begin; lock table ${table} in ${mode} mode`)
    return await work()
  } finally {
    await locker.query('rollback')
    locker.release()
  }
}

/** How many statements wait for a lock, of those that name the table where one is given. */
export async function waitingForLocks({ db }: Pick<Database, 'db'>, table?: string): Promise<number> {
  const naming = table === undefined ? sql`` : sql` and query like ${`%"${table}"%`}`
  const found = await db.execute<{ count: number }>(
    sql`select count(*)::int as count
      from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'${naming}`,
  )
  return found.rows[0]?.count ?? 0
}
