/**
 * Work that runs beside requests (docs/decisions/0010): started here on any node, done by whichever worker is free, watched and cancelled
 * from anywhere. The rows are the queue; live events only wake those who wait.
 */
import { type Language, rootOrgId } from '@sallyport/contract'
import { isCron } from '@sallyport/contract/cron'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context, displayOf } from '../context.ts'
import type { Database, Executor } from '../database/index.ts'
import { job, type Jobs } from '../jobs.ts'
import type { Live } from '../live.ts'
import type { Logger } from '../log.ts'
import { Wakeups } from '../wakeups.ts'
import { executionChannel, executionEvent, tell } from './channel.ts'
import type { Execution } from './execution.ts'
import { type LogPart, readLog } from './log.ts'
import { executionRows } from './tables.ts'
import { type ContextFor, Worker } from './worker.ts'

export { daily, execution, type Execution, type ExecutionLog, type Summary, type Work } from './execution.ts'
export { readLog, type LogPart } from './log.ts'
export { executionRows } from './tables.ts'

interface Starting {
  /** See `concurrency.perKey`; who starts it unless said. */
  key?: string
}

export interface Executions {
  /**
   * Every process registers all kinds, before anything is started, whether it works on them or not.
   * @throws Error where a kind is registered twice, or its cron is no schedule
   */
  register(execution: Execution<unknown>): void
  /** It exists exactly when the transaction of the context commits. @returns its id */
  start<Input>(ctx: Context, execution: Execution<Input>, input: Input, options?: Starting): Promise<string>
  /** One that waits ends at once, one that runs is told to within a second. @returns whether there was anything to cancel */
  cancel(ctx: Context, id: string): Promise<boolean>
  /** Part by part from that line on, waiting for more until its end, or until the signal aborts. */
  follow(id: string, from: number, signal: AbortSignal): AsyncGenerator<LogPart>
  /** Takes and does work until it is stopped; and closes what dead workers left. */
  work(contextFor: ContextFor): void
  /** Tells what runs to end, waits up to `timeoutMs`; what can be resumed is, elsewhere. */
  stop(timeoutMs: number): Promise<void>
}

export interface ExecutionsParts {
  database: Database
  live: Live
  jobs: Jobs
  log: Logger
}

/** A follower looks again after this time, in case no event came. */
const lookAgainMs = 15_000
const partChars = 64 << 10
const scheduled = 'System'

export function createExecutions({ database, live, jobs, log }: ExecutionsParts): Executions {
  const kinds = new Map<string, Execution<unknown>>()
  let worker: Worker | undefined

  async function enqueue(db: Executor, row: typeof executionRows.$inferInsert): Promise<string> {
    const [made] = await db.insert(executionRows).values(row).returning({ id: executionRows.id })
    if (made === undefined) throw new Error('an execution was not stored')
    await tell(live, db, made.id, 'queued')
    return made.id
  }
  const columnsOf = ({ kind, timeoutSeconds, onCrash }: Execution<unknown>) => ({
    kind,
    timeout_seconds: timeoutSeconds,
    on_crash: onCrash,
  })

  /** What the schedule starts, unless the one before is still waiting. */
  async function startScheduled(declared: Execution<unknown>): Promise<void> {
    const [waiting] = await database.db
      .select({ id: executionRows.id })
      .from(executionRows)
      .where(
        and(
          eq(executionRows.kind, declared.kind),
          eq(executionRows.status, 'pending'),
          eq(executionRows.trigger, 'timing'),
        ),
      )
      .limit(1)
    if (waiting !== undefined) return
    await enqueue(database.db, {
      ...columnsOf(declared),
      org_id: rootOrgId,
      input: declared.input.parse({}) as Record<string, unknown>,
      trigger: 'timing',
      user: scheduled,
      language: 'en',
    })
  }

  return {
    register(declared) {
      const { kind, cron } = declared
      if (kinds.has(kind)) throw new Error(`The execution ${kind} is registered twice`)
      if (cron !== undefined && !isCron(cron))
        throw new Error(`The execution ${kind} has the cron “${cron}”, which is no schedule of five fields`)
      kinds.set(kind, declared)
      if (cron === undefined) return
      const schedule = job({
        name: `executions/${kind}`,
        schema: z.object({}),
        timeoutSeconds: 60,
        retry: { limit: 2, delaySeconds: 10 },
        cron,
      })
      jobs.register(schedule, () => startScheduled(declared))
    },

    async start(ctx, declared, input, { key } = {}) {
      if (!kinds.has(declared.kind)) throw new Error(`The execution ${declared.kind} is not registered`)
      const by = callerOf(ctx)
      const parsed = declared.input.parse(input)
      return await enqueue(ctx.db, {
        ...columnsOf(declared),
        org_id: ctx.org.id,
        input: parsed as Record<string, unknown>,
        is_small: declared.small?.is(parsed) ?? false,
        trigger: 'manual',
        user_id: by.id,
        user: displayOf(by),
        language: ctx.language satisfies Language,
        key: key ?? by.id,
      })
    },

    async cancel(ctx, id) {
      const found = await ctx.db
        .update(executionRows)
        .set({
          date_cancel: sql`now()`,
          status: sql`case when ${executionRows.status} = 'pending' then 'canceled' else ${executionRows.status} end`,
          date_finished: sql`case when ${executionRows.status} = 'pending' then now() end`,
        })
        .where(
          and(
            eq(executionRows.id, id),
            inArray(executionRows.status, ['pending', 'running']),
            isNull(executionRows.date_cancel),
          ),
        )
        .returning({ status: executionRows.status })
      const status = found[0]?.status
      if (status !== undefined) await tell(live, ctx.db, id, status === 'running' ? 'cancel' : 'ended')
      return status !== undefined
    },

    async *follow(id, from, signal) {
      let next = from
      const isMine = (payload: unknown) => executionEvent.safeParse(payload).data?.id === id
      const wake = new Wakeups(live, executionChannel, isMine)
      try {
        while (!signal.aborted) {
          wake.expect()
          const part = await readLog(database.db, id, next, partChars)
          if (part === undefined) return
          next = part.next
          yield part
          if (part.isEnd) return
          if (part.isAll) await wake.heard(lookAgainMs, signal)
        }
      } finally {
        wake.end()
      }
    },

    work(contextFor) {
      worker = new Worker({ database, live, log, kinds, contextFor })
      worker.start()
    },

    async stop(timeoutMs) {
      await worker?.stop(timeoutMs)
      worker = undefined
    },
  }
}
