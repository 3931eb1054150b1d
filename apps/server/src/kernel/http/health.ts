import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Domain } from '../domain.ts'
import type { Ground } from '../ground.ts'
import { Reply, type Route } from './route.ts'

/** Below this the server's own disk is called full. */
const leastFreeBytes = 512 << 20

/** What does not answer in this time is not well. */
const probeTimeoutMs = 2000

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
): Route => {
  const asked = [...(parts ? [parts] : []), ...domains.flatMap(({ health }) => health ?? [])].map(shared)
  const select = shared(async () => {
    const started = performance.now()
    await db.execute(sql`select 1`)
    return (performance.now() - started) / 1000
  })
  return {
    method: 'GET',
    path,
    access: 'public',
    handler: async () => {
      const [seconds, ...told] = await Promise.all([inTime(select()), ...asked.map((ask) => inTime(ask()))])
      const isUp = seconds !== undefined
      return new Reply(isUp ? 200 : 503, {
        status: isUp,
        db_status: isUp,
        db_time: seconds ?? probeTimeoutMs / 1000,
        redis_status: true,
        redis_time: 0,
        ...Object.assign({}, ...told),
        time: Math.floor(Date.now() / 1000),
      })
    },
  }
}

/** However many ask, one is asked at a time: a part that hangs does not fill the pool. */
function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= ask().finally(() => (running = undefined))
    return running
  }
}

/** Undefined: late, or failed. */
async function inTime<T>(answer: Promise<T>): Promise<T | undefined> {
  const timeout = new AbortController()
  const late = sleep(probeTimeoutMs, undefined, { signal: timeout.signal, ref: false }).catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } catch {
    return undefined
  } finally {
    timeout.abort()
  }
}
