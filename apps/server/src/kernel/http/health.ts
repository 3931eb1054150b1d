import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Domain } from '../domain.ts'
import type { Ground } from '../ground.ts'
import { Reply, type Route } from './route.ts'

/** Below this one of the server's own disks is called full. */
const leastFreeBytes = 512 << 20
/** Below this the embedded database cannot write any more: it takes room 16 MiB at a time. */
const databaseNeedsBytes = 32 << 20

/** What does not answer in this time is not well. */
const probeTimeoutMs = 2000

/** Which parts of this server are well, by name. */
export type Parts = Readonly<Record<string, boolean>>
export const partsOf =
  ({ config, jobs, live, storage }: Pick<Ground, 'config' | 'jobs' | 'live' | 'storage'>) =>
  async (): Promise<Parts> => {
    const ofData = await freeBytes(config.dataDir)
    const ofStorage = await freeBytes(config.storageDir)
    return {
      live_status: live.isHearing(),
      jobs_status: jobs.isStarted(),
      storage_status: await storage.isUp(),
      disk_status: Math.min(ofData, ofStorage) >= leastFreeBytes,
      // Of a database elsewhere its own operator knows.
      db_disk_status: config.databaseUrl !== undefined || ofData >= databaseNeedsBytes,
    }
  }

const freeBytes = (folder: string) =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )

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
      const all: Parts = Object.assign({}, ...told)
      // A database that reads and cannot write serves nobody.
      const isUp = seconds !== undefined && all['db_disk_status'] !== false
      return new Reply(isUp ? 200 : 503, {
        status: isUp,
        db_status: seconds !== undefined,
        db_time: seconds ?? probeTimeoutMs / 1000,
        redis_status: true,
        redis_time: 0,
        ...all,
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
