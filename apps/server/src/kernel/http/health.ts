import { statfs } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { Domain } from '../domain.ts'
import type { Ground } from '../ground.ts'
import { Reply, type Route } from './route.ts'

/** Below this the server's own disk is called full. */
const leastFreeBytes = 512 << 20

/** Which parts of this server are well, by name. */
export type Parts = Readonly<Record<string, boolean>>
export const partsOf =
  ({ config, jobs, live, storage }: Pick<Ground, 'config' | 'jobs' | 'live' | 'storage'>) =>
  async (): Promise<Parts> => ({
    live_status: live.isHearing(),
    jobs_status: jobs.isStarted(),
    storage_status: await storage.isUp(),
    disk_status: await statfs(config.dataDir).then(
      ({ bavail, bsize }) => bavail * bsize >= leastFreeBytes,
      () => false,
    ),
  })

/**
 * `{status, db_status, db_time, redis_status, redis_time, time}` (kernel.md section 1), and which parts of the server and of the domains
 * are well; there is no redis, the database is the queue. `status` is that of the server itself: a load balancer goes by it.
 */
export const healthRoute = (
  { db }: Pick<Ground['database'], 'db'>,
  parts: (() => Promise<Parts>) | undefined,
  domains: readonly Domain[],
  path: string,
): Route => ({
  method: 'GET',
  path,
  access: 'public',
  handler: async () => {
    const started = performance.now()
    const isUp = await db.execute(sql`select 1`).then(
      () => true,
      () => false,
    )
    const seconds = (performance.now() - started) / 1000
    const asked = isUp ? domains.flatMap(({ health }) => health ?? []) : []
    const told = await Promise.all([...(parts ? [parts] : []), ...asked].map((ask) => ask()))
    return new Reply(isUp ? 200 : 503, {
      status: isUp,
      db_status: isUp,
      db_time: seconds,
      redis_status: true,
      redis_time: 0,
      ...Object.assign({}, ...told),
      time: Math.floor(Date.now() / 1000),
    })
  },
})
