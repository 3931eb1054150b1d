import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { workForAll } from '../database/index.ts'
import type { Domain } from '../domain.ts'
import type { Ground } from '../ground.ts'
import { Reply, type Route } from './route.ts'

/** Below this one of the server's own disks is called full. */
const leastFreeBytes = 512 << 20
/** Below this the embedded database cannot write any more: it takes room 16 MiB at a time. */
const databaseNeedsBytes = 32 << 20

/** What does not answer in this time is not well. */
const probeTimeoutMs = 2000
/** A part of a domain or of this server may ask others that answer late; it says then which. */
const partsTimeoutMs = 2 * probeTimeoutMs

/** Which parts of this server are well, by name. */
export type Parts = Readonly<Record<string, boolean>>
export const partsOf =
  ({ config, jobs, live, storage }: Pick<Ground, 'config' | 'jobs' | 'live' | 'storage'>) =>
  async (): Promise<Parts> => {
    // Each by itself: a storage that hangs does not hide the rest.
    const [isStored, areJobsUp, ofData = 0, ofStorage = Infinity] = await Promise.all([
      inTime(storage.isUp()),
      inTime(jobs.isUp()),
      inTime(freeBytes(config.dataDir)),
      // One that does not say how much room it has is away, not full.
      inTime(storage.freeBytes()),
    ])
    return {
      live_status: live.isHearing(),
      jobs_status: areJobsUp ?? false,
      storage_status: isStored ?? false,
      disk_status: Math.min(ofData, ofStorage) >= leastFreeBytes,
      // Of a database elsewhere its own operator knows.
      db_disk_status: config.databaseUrl !== undefined || ofData >= databaseNeedsBytes,
    }
  }

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/**
 * `{status, db_status, db_time, redis_status, redis_time, time}`, and which parts of the server and of the domains
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
    unasked: true,
    handler: async () => {
      const [seconds, ...told] = await Promise.all([
        inTime(select()),
        ...asked.map((ask) => inTime(ask(), partsTimeoutMs)),
      ])
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
    running ??= workForAll(ask).finally(() => (running = undefined))
    return running
  }
}

/** Undefined: late, or failed. */
async function inTime<T>(answer: Promise<T>, timeoutMs = probeTimeoutMs): Promise<T | undefined> {
  const timeout = new AbortController()
  const late = sleep(timeoutMs, undefined, { signal: timeout.signal, ref: false }).catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } catch {
    return undefined
  } finally {
    timeout.abort()
  }
}
