import { sql } from 'drizzle-orm'
import type { Database } from '../database/index.ts'
import { Reply, type Route } from './route.ts'

/** `{status, db_status, db_time, redis_status, redis_time, time}` (kernel.md section 1); there is no redis, the database is the queue. */
export const healthRoute = (database: Database, path: string): Route => ({
  method: 'GET',
  path,
  access: 'public',
  handler: async () => {
    const started = performance.now()
    const isUp = await database.db.execute(sql`select 1`).then(
      () => true,
      () => false,
    )
    const seconds = (performance.now() - started) / 1000
    return new Reply(isUp ? 200 : 503, {
      status: isUp,
      db_status: isUp,
      db_time: seconds,
      redis_status: true,
      redis_time: 0,
      time: Math.floor(Date.now() / 1000),
    })
  },
})
