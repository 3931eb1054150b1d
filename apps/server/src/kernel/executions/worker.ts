/** Takes executions that wait, does them, and is heard of while it does. */
import { randomUUID } from 'node:crypto'
import { and, inArray, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { type Database, withTransaction } from '../database/index.ts'
import type { Live } from '../live.ts'
import type { Logger } from '../log.ts'
import type { Execution } from './execution.ts'
import { executionChannel, executionEvent } from './channel.ts'
import { closeAbandoned } from './recovery.ts'
import { Running, type Taken } from './running.ts'
import { executionRows } from './tables.ts'

/** The context an execution is done with: nobody's, in its organization. */
export type ContextFor = (row: Taken) => Promise<Context>

export interface WorkerParts {
  database: Database
  live: Live
  log: Logger
  kinds: ReadonlyMap<string, Execution<unknown>>
  contextFor: ContextFor
}

const beatMs = 1000
/** A worker that was not heard of for so long is dead, or no longer may work. */
export const silenceSeconds = 6
/** Of one process at once: cleaning and reminders, and what is soon done, do not wait for what people have going on for hours. */
const maxRunning = { manual: 32, small: 16, timing: 8 } as const
const placeOf = ({ is_small, trigger }: Taken) => (is_small ? 'small' : trigger)

export class Worker {
  readonly #parts: WorkerParts
  readonly #id = randomUUID()
  readonly #running = new Map<string, Running>()
  #ends: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #heardAt = performance.now()
  #beating = false
  #taking: Promise<void> | undefined
  #takeAgain = false
  #isStopping = false

  constructor(parts: WorkerParts) {
    this.#parts = parts
  }

  start(): void {
    const { live } = this.#parts
    this.#ends = [
      live.subscribe(executionChannel, (payload) => {
        const event = executionEvent.safeParse(payload).data
        if (event?.what === 'queued' || event?.what === 'ended') this.#take()
        if (event?.what === 'cancel') this.#running.get(event.id)?.stop('canceled')
      }),
      live.onGap(() => this.#take()),
    ]
    this.#timer = setInterval(() => void this.#beat(), beatMs)
    this.#take()
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true
    for (const end of this.#ends) end()
    for (const one of this.#running.values()) one.stop('stopping')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs)
    })
    await Promise.race([
      late,
      Promise.all([this.#taking, ...[...this.#running.values()].map(({ ended }) => ended)]),
    ])
    clearTimeout(timer)
    clearInterval(this.#timer)
  }

  /** Tells that this process works on what it works on, and how far it is; hears what was taken from it, or is to end. */
  async #beat(): Promise<void> {
    if (this.#beating) return
    this.#beating = true
    try {
      await this.#report()
      this.#heardAt = performance.now()
      await closeAbandoned(this.#parts, silenceSeconds)
      this.#take()
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the worker could not tell that it works')
      // Others will have taken over.
      if (performance.now() - this.#heardAt > silenceSeconds * 1000)
        for (const one of this.#running.values()) one.stop('lost')
    } finally {
      this.#beating = false
    }
  }

  async #report(): Promise<void> {
    const mine = [...this.#running.values()]
    if (mine.length === 0) return
    const { rows } = await this.#parts.database.db.execute<{ id: string; is_canceled: boolean }>(
      sql`update ${executionRows} set date_heartbeat = now(), progress_done = item.done, progress_total = item.total
        from unnest(${sql.param(mine.map(({ row }) => row.id))}::uuid[], ${sql.param(mine.map(({ row }) => row.attempt))}::int[],
          ${sql.param(mine.map(({ done }) => done))}::int[],
          ${sql.param(mine.map(({ total }) => total))}::int[]) as item (id, attempt, done, total)
        where ${executionRows.id} = item.id and ${executionRows.attempt} = item.attempt and ${executionRows.worker} = ${this.#id}
          and ${executionRows.status} = 'running'
        returning ${executionRows.id} as id, ${executionRows.date_cancel} is not null as is_canceled`,
    )
    const known = new Map(rows.map(({ id, is_canceled }) => [id, is_canceled]))
    for (const one of mine) {
      const isCanceled = known.get(one.row.id)
      if (isCanceled === undefined) one.stop('lost')
      else if (isCanceled) one.stop('canceled')
    }
  }

  /** Takes what can be taken; asked again while it does, it looks once more. */
  #take(): void {
    this.#takeAgain = true
    this.#taking ??= this.#takeAll().finally(() => {
      this.#taking = undefined
    })
  }

  async #takeAll(): Promise<void> {
    while (this.#takeAgain && !this.#isStopping) {
      this.#takeAgain = false
      try {
        while (!this.#isStopping) {
          const row = await this.#takeOne()
          if (row === undefined) break
          this.#begin(row)
        }
      } catch (error) {
        this.#parts.log.error({ err: error }, 'an execution could not be taken')
      }
    }
  }

  /** The one that waits longest, of those whose kind and key have room. Nodes take one after the other, so that they count each other. */
  async #takeOne(): Promise<Taken | undefined> {
    const kinds = [...this.#parts.kinds.values()]
    const running = [...this.#running.values()]
    const room = (Object.keys(maxRunning) as (keyof typeof maxRunning)[]).filter(
      (place) => running.filter(({ row }) => placeOf(row) === place).length < maxRunning[place],
    )
    if (kinds.length === 0 || room.length === 0) return undefined
    const places = kinds.flatMap(({ kind, concurrency, small }) => [
      { kind, isSmall: false, ...concurrency },
      { kind, isSmall: true, ...(small ?? { concurrency }).concurrency },
    ])
    const limits = (of: 'total' | 'perKey') => sql`${sql.param(places.map((one) => one[of] ?? null))}::int[]`
    return await withTransaction(this.#parts.database.db, async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sallyport:executions'))`)
      const { rows } = await tx.execute<{ id: string }>(
        sql`select waiting.id from ${executionRows} as waiting
          join unnest(${sql.param(places.map(({ kind }) => kind))}::text[], ${sql.param(places.map(({ isSmall }) => isSmall))}::boolean[],
            ${limits('total')}, ${limits('perKey')}) as allowed (kind, is_small, total, per_key)
            on allowed.kind = waiting.kind and allowed.is_small = waiting.is_small
          where waiting.status = 'pending' and waiting.date_finished is null
            and case when waiting.is_small then 'small' else waiting.trigger end = any(${sql.param(room)}::text[])
            and (allowed.total is null or allowed.total > (select count(*) from ${executionRows} as other
              where other.kind = waiting.kind and other.is_small = waiting.is_small
                and other.status = 'running' and other.date_finished is null))
            and (allowed.per_key is null or waiting.key is null or allowed.per_key > (select count(*) from ${executionRows} as other
              where other.kind = waiting.kind and other.is_small = waiting.is_small and other.key = waiting.key
                and other.status = 'running' and other.date_finished is null))
          order by waiting.date_published, waiting.id limit 1 for update of waiting skip locked`,
      )
      const [found] = rows
      if (found === undefined) return undefined
      const [row] = await tx
        .update(executionRows)
        .set({
          status: 'running',
          worker: this.#id,
          attempt: sql`${executionRows.attempt} + 1`,
          date_start: sql`coalesce(${executionRows.date_start}, now())`,
          date_heartbeat: sql`now()`,
        })
        .where(and(inArray(executionRows.id, [found.id])))
        .returning()
      return row
    })
  }

  #begin(row: Taken): void {
    const kind = this.#parts.kinds.get(row.kind)
    if (kind === undefined) return
    const running = new Running(row, this.#id, kind, this.#parts)
    this.#running.set(row.id, running)
    void running.ended.finally(() => {
      this.#running.delete(row.id)
      if (!this.#isStopping) this.#take()
    })
  }
}
