import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { fromDrizzle, PgBoss, systemClock } from 'pg-boss'
import type { z } from 'zod'
import type { Database, Transaction } from './database/index.ts'
import type { Logger } from './log.ts'

/** Work that happens after the answer: declared once, enqueued anywhere, done by a process with the role `worker`. */
export interface Job<Data> {
  /** Letters, digits, `-`, `_`, `.`, `/`; the name of the queue. */
  name: string
  /** What it needs to know: ids, never secrets, because it is stored in the clear. */
  schema: z.ZodType<Data>
  /** After this time an attempt counts as failed and its signal aborts. */
  timeoutSeconds: number
  /** Further attempts after a failed or crashed one; the delay doubles each time. */
  retry: { limit: number; delaySeconds: number }
  /** Five fields, UTC. Its data is `{}`. */
  cron?: string
}

export interface JobContext {
  id: string
  /** 1 at the first attempt. */
  attempt: number
  /** Aborts when the time is over or the process stops. */
  signal: AbortSignal
  log: Logger
}

export type JobHandler<Data> = (data: Data, context: JobContext) => Promise<void>

export interface EnqueueOptions {
  /** The job exists exactly when this transaction commits. */
  transaction?: Transaction
  startAfterSeconds?: number
  /** While a job with this key waits, no second one is added. */
  singletonKey?: string
}

export interface Jobs {
  /** Binds a handler; every process registers all jobs, before `start`, whether it works on them or not. */
  register<Data>(job: Job<Data>, handler: JobHandler<Data>): void
  /** Creates the queues; with `work`, also takes jobs and keeps the schedule. */
  start(options: { work: boolean }): Promise<void>
  /** Returns the job's id, or null when one with the same `singletonKey` waits already. */
  enqueue<Data>(job: Job<Data>, data: Data, options?: EnqueueOptions): Promise<string | null>
  /** Whether it was started and reaches its queue at this moment. */
  isUp(): Promise<boolean>
  /** Stops taking jobs and waits up to `timeoutMs` for those that run; others are done again elsewhere. */
  stop(timeoutMs: number): Promise<void>
}

/** pg-boss's least; a worker that is silent for so long is dead and its job goes to another. */
const heartbeatSeconds = 10
const superviseSeconds = 5
/** How often it compares its clock with the database's. */
const clockSeconds = 60
/** Never set back: passes that wait for a time would wait as long as the clock went back. */
const steadyClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }
/** New jobs wake an idle worker at once; this is how late a delayed or repeated one, or one that met a busy worker, may start. */
const pollSeconds = 2

export function job<Data>(declaration: Job<Data>): Job<Data> {
  return declaration
}

const answerWithinMs = 60_000

/** A connection over which nothing is answered `withinMs` is given up: its host has gone without a word. */
export function createJobs(database: Database, log: Logger, withinMs = answerWithinMs): Jobs {
  // The queue hands these on to its pool, though its types do not name them.
  const pool = { query_timeout: withinMs, keepAlive: true }
  const registered = new Map<string, { job: Job<unknown>; work(boss: PgBoss): Promise<void> }>()
  let boss: PgBoss | undefined

  function started(): PgBoss {
    if (boss === undefined) throw new Error('The jobs were not started')
    return boss
  }

  return {
    register(job, handler) {
      if (registered.has(job.name)) throw new Error(`The job ${job.name} is registered twice`)
      registered.set(job.name, {
        job,
        async work(current) {
          await current.work<unknown>(
            job.name,
            { notifyPollingIntervalSeconds: pollSeconds },
            async (taken) => {
              for (const one of taken) {
                const own = log.child({ job: job.name, job_id: one.id })
                try {
                  const data = job.schema.parse(one.data)
                  await handler(data, {
                    id: one.id,
                    attempt: one.retryCount + 1,
                    signal: one.signal,
                    log: own,
                  })
                } catch (error) {
                  own.error({ err: error, attempt: one.retryCount + 1 }, 'a job failed')
                  throw error
                }
              }
            },
          )
        },
      })
    },

    async start({ work }) {
      boss = new PgBoss({
        ...pool,
        connectionString: database.url,
        application_name: 'sallyport jobs',
        schema: 'pgboss',
        max: 5,
        supervise: work,
        schedule: work,
        superviseIntervalSeconds: superviseSeconds,
        monitorIntervalSeconds: superviseSeconds,
        useListenNotify: work,
        clock: steadyClock,
        clockMonitorIntervalSeconds: clockSeconds,
      })
      boss.on('error', (error) => log.error({ err: error }, 'the job queue had an error'))
      boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
      await boss.start()
      for (const { job } of registered.values()) await declareQueue(boss, job)
      if (!work) return
      await keepSchedule(
        boss,
        [...registered.values()].map((entry) => entry.job),
      )
      for (const entry of registered.values()) await entry.work(boss)
    },

    async enqueue(job, data, options = {}) {
      const { transaction, startAfterSeconds, singletonKey } = options
      return await started().send(job.name, job.schema.parse(data) as object, {
        ...(transaction && { db: fromDrizzle(transaction, sql) }),
        ...(startAfterSeconds !== undefined && { startAfter: startAfterSeconds }),
        // The queues hold one waiting job a key; without a wish of the caller each job has its own.
        singletonKey: singletonKey ?? randomUUID(),
      })
    },

    isUp: async () => (await boss?.isInstalled().catch(() => false)) === true,

    async stop(timeoutMs) {
      await boss?.stop({ graceful: true, timeout: timeoutMs })
      boss = undefined
    },
  }
}

async function declareQueue(boss: PgBoss, job: Job<unknown>): Promise<void> {
  const options = {
    expireInSeconds: job.timeoutSeconds,
    retryLimit: job.retry.limit,
    retryDelay: job.retry.delaySeconds,
    retryBackoff: true,
    heartbeatSeconds,
    notify: true,
  }
  await boss.createQueue(job.name, { ...options, policy: 'short' })
  await boss.updateQueue(job.name, options)
}

/** The schedule in the database becomes the declared one: jobs that lost their cron, or are gone, are taken out. */
async function keepSchedule(boss: PgBoss, jobs: Job<unknown>[]): Promise<void> {
  const wanted = new Set(jobs.filter((job) => job.cron !== undefined).map((job) => job.name))
  for (const { name } of await boss.getSchedules()) {
    if (!wanted.has(name)) await boss.unschedule(name)
  }
  for (const job of jobs) {
    if (job.cron !== undefined) await boss.schedule(job.name, job.cron, {}, { tz: 'UTC' })
  }
}
