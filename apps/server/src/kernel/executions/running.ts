/** One execution while this process works on it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { errors, type Language, serverTexts, translate } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import type { Database } from '../database/index.ts'
import { withTransaction, workFor } from '../database/index.ts'
import { violationOf } from '../database/violations.ts'
import { ApiError } from '../errors.ts'
import type { Live } from '../live.ts'
import type { Logger } from '../log.ts'
import { tell } from './channel.ts'
import type { Execution, ExecutionLog, Summary } from './execution.ts'
import { appendLines, held, type Holder, LogWriter, writtenOf } from './log.ts'
import { released } from './recovery.ts'
import { executionRows } from './tables.ts'
import type { ContextFor } from './worker.ts'

export type Taken = typeof executionRows.$inferSelect
/** `lost`: another worker has it, or may have it, so nothing is written any more. */
export type StopReason = 'canceled' | 'timeout' | 'stopping' | 'lost'

/** What does not end although it was told to is left to itself. */
const graceMs = 2000

interface RunningParts {
  database: Database
  live: Live
  log: Logger
  contextFor: ContextFor
}
type Outcome =
  | { is: 'success'; summary: Summary }
  | { is: 'failed' | 'error'; code: string; sentence: string }
  | { is: StopReason }

export class Running {
  readonly row: Taken
  readonly ended: Promise<void>
  done: number | null = null
  total: number | null = null
  readonly #holder: Holder
  readonly #kind: Execution<unknown>
  readonly #parts: RunningParts
  readonly #stop = new AbortController()

  constructor(row: Taken, worker: string, kind: Execution<unknown>, parts: RunningParts) {
    this.row = row
    this.#holder = { id: row.id, worker, attempt: row.attempt }
    this.#kind = kind
    this.#parts = parts
    const { log } = parts
    this.ended = this.#carryOut().catch((error: unknown) =>
      // It is closed as that of a dead worker.
      log.error({ err: error, execution: row.id }, 'the end of an execution could not be stored'),
    )
  }

  /** The first reason counts. */
  stop(reason: StopReason): void {
    if (!this.#stop.signal.aborted) this.#stop.abort(reason)
  }

  async #carryOut(): Promise<void> {
    const { database, live } = this.#parts
    const writer = new LogWriter(
      this.#holder,
      await writtenOf(database.db, this.row.id),
      async (holder, from, lines) => {
        await appendLines(database.db, holder, from, lines)
        await tell(live, database.db, holder.id, 'log')
      },
    )
    const timer = setTimeout(() => this.stop('timeout'), this.row.timeout_seconds * 1000)
    const outcome = await this.#outcome(writer)
    clearTimeout(timer)
    if (outcome.is === 'lost') return
    await this.#close(outcome, writer)
  }

  /** What came of it; at the latest two seconds after it was told to stop. */
  async #outcome(writer: LogWriter): Promise<Outcome> {
    const stopped = (): Outcome => ({ is: this.#stop.signal.reason as StopReason })
    if (this.#stop.signal.aborted) return stopped()
    const over = new AbortController()
    const late = new Promise<void>((resolve) => {
      this.#stop.signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    }).then(async (): Promise<Outcome> => {
      await sleep(graceMs, undefined, { signal: over.signal }).catch(() => undefined)
      return stopped()
    })
    const { id, key } = this.row
    const work = workFor({ share: 'executions', id: key ?? id }, () => this.#run(writer)).catch(
      (error: unknown): Outcome => {
        if (this.#stop.signal.aborted) return stopped()
        // The database is away, as while it restarts: whoever has it again takes this up where a worker died.
        // Of what the work itself refuses, as of a directory nobody answers for, the cause is not the database.
        const isRefusal = error instanceof ApiError
        if (!isRefusal && violationOf(error)?.key === 'unavailable') return this.#away(error)
        return this.#failure(error)
      },
    )
    const outcome = await Promise.race([work, late])
    over.abort()
    return outcome
  }

  async #run(writer: LogWriter): Promise<Outcome> {
    const log = Object.assign((text: string) => writer.write(text), {
      hide: (secret: string) => writer.hide(secret),
    }) satisfies ExecutionLog
    const ctx = await this.#parts.contextFor(this.row)
    // Work hears of an end that comes; of one that came before, nothing.
    this.#stop.signal.throwIfAborted()
    const summary = await this.#kind.run(ctx, {
      id: this.row.id,
      input: this.#kind.input.parse(this.row.input),
      user: this.row.user,
      attempt: this.row.attempt,
      begun: this.row.date_start ?? this.row.date_published,
      log,
      progress: (done, total = this.total ?? undefined) => {
        this.done = done
        this.total = total ?? null
      },
      signal: this.#stop.signal,
    })
    return { is: 'success', summary: summary ?? {} }
  }

  #away(error: unknown): Outcome {
    const { log } = this.#parts
    log.warn(
      { err: error, execution: this.row.id },
      'an execution lost the database and is left to be resumed',
    )
    return { is: 'lost' }
  }

  #failure(error: unknown): Outcome {
    if (error instanceof ApiError)
      return {
        is: 'failed',
        code: error.code,
        sentence: translate(errors, this.#language, error.code, error.params),
      }
    // What went wrong inside is for the log of the server; it may hold what nobody should read here.
    this.#parts.log.error({ err: error, execution: this.row.id, kind: this.row.kind }, 'an execution failed')
    return {
      is: 'error',
      code: 'server_error',
      sentence: translate(errors, this.#language, 'server_error'),
    }
  }

  /** What the log ends with, unless all went well. */
  #lastWord(outcome: Outcome): string | undefined {
    if ('sentence' in outcome) return outcome.sentence
    if (outcome.is === 'canceled') return translate(serverTexts, this.#language, 'execution_canceled')
    if (outcome.is === 'timeout') return translate(errors, this.#language, 'execution_timeout')
    return outcome.is === 'stopping' ? translate(errors, this.#language, 'worker_stopped') : undefined
  }

  get #language(): Language {
    return this.row.language as Language
  }

  async #close(outcome: Exclude<Outcome, { is: 'lost' }>, writer: LogWriter): Promise<void> {
    const { database, live } = this.#parts
    const last = this.#lastWord(outcome)
    await writer.close(
      (count) => translate(serverTexts, this.#language, 'execution_lines_left_out', { count }),
      last,
    )
    await withTransaction(database.db, async (tx) => {
      const progress = sql`progress_done = ${this.done}::int, progress_total = ${this.total}::int, worker = null`
      const code = 'code' in outcome ? outcome.code : outcome.is === 'timeout' ? 'execution_timeout' : null
      const end =
        outcome.is === 'stopping'
          ? released('worker_stopped')
          : sql`status = ${outcome.is}, error = ${code}::text,
              summary = ${JSON.stringify('summary' in outcome ? outcome.summary : {})}::jsonb, date_finished = now()`
      await tx.execute(sql`update ${executionRows} set ${progress}, ${end} where ${held(this.#holder)}`)
      await tell(live, tx, this.row.id, outcome.is === 'stopping' ? 'queued' : 'ended')
    })
  }
}
