import { sql } from 'drizzle-orm'
import type { Database } from '../database/index.ts'
import type { Domain } from '../domain.ts'
import { Reply, type Route } from './route.ts'

/**
 * `{status, db_status, db_time, redis_status, redis_time, time}` (kernel.md section 1), and what the domains say of their parts; there is
 * no redis, the database is the queue. `status` is that of the server itself: a load balancer goes by it.
 */
export const healthRoute = (database: Database, domains: readonly Domain[], path: string): Route => ({
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
    const asked = isUp ? domains.flatMap(({ health }) => health ?? []) : []
    const parts = await Promise.all(asked.map((ask) => ask()))
    return new Reply(isUp ? 200 : 503, {
      status: isUp,
      db_status: isUp,
      db_time: seconds,
      redis_status: true,
      redis_time: 0,
      ...Object.assign({}, ...parts),
      time: Math.floor(Date.now() / 1000),
    })
  },
})
