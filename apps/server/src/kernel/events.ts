/**
 * What happened, for those who keep books of it. Operate logs are written in the same transaction as the change, so that there is no
 * change without its record; everything else (notifications, kills, counters) follows after the commit, beside the answer.
 */
import type { OperateAction, Resource, SettingValues } from '@sallyport/contract'
import { type Context, createContext } from './context.ts'
import { afterCommit, type Database } from './database/index.ts'
import type { Logger } from './log.ts'

export type StoredRow = Readonly<Record<string, unknown>>

export interface Changed {
  type: 'created' | 'updated' | 'deleted'
  resource: Resource
  id: string
  /** The stored columns and relation ids before; undefined when created. */
  before: StoredRow | undefined
  after: StoredRow | undefined
  /** Names of secret fields that were written; their values are nobody's business. */
  secrets: readonly string[]
}
/** A declared call was carried out on a row; it may have changed columns that are no fields, or nothing that shows. */
export interface CalledOn {
  type: 'called'
  /** The word of the books for it. */
  action: OperateAction
  /** The call's name in the declaration. */
  call: string
  resource: Resource
  id: string
  before: StoredRow
  /** Undefined when the call removed the row. */
  after: StoredRow | undefined
}

/**
 * Events that are no change of a row (a login, a secret read, a session opened), by name, with their data. Every domain adds its own
 * in its `events.ts`; no other name compiles, and the books name each of them.
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- the domains fill it by declaration merging
export interface EventData {}
export type EventName = keyof EventData
export type Happened = {
  [Name in EventName]: { type: 'happened'; name: Name; data: EventData[Name] }
}[EventName]
export type DomainEvent = Changed | CalledOn | Happened

export type Listener = (ctx: Context, event: DomainEvent) => Promise<void>
/** Gets all events of one write, so that the books of a thousand rows are written at once. */
export type Recorder = (ctx: Context, events: readonly DomainEvent[]) => Promise<void>

export interface EventsParts {
  database: Database
  log: Logger
  settings: () => Promise<SettingValues>
}

export class Events {
  readonly #parts: EventsParts
  readonly #books: Recorder[] = []
  readonly #followers: Follower[] = []

  constructor(parts: EventsParts) {
    this.#parts = parts
  }

  /** Runs inside the transaction of the change; an error there undoes the change. */
  onRecord(listener: Recorder): void {
    this.#books.push(listener)
  }

  /**
   * Runs after the commit and beside the answer, for each event in the order of the commits, on the pool and with the settings of that
   * moment; an error there is logged and changes nothing.
   */
  onCommitted(listener: Listener): void {
    const { database, settings, log } = this.#parts
    this.#followers.push(
      new Follower(async (ctx, event) => {
        try {
          await listener(createContext(this, { ...ctx, db: database.db, settings: await settings() }), event)
        } catch (error) {
          log.error({ err: error }, 'what should follow a committed change failed')
        }
      }),
    )
  }

  async emit(ctx: Context, events: readonly DomainEvent[]): Promise<void> {
    for (const record of this.#books) await record(ctx, events)
    await afterCommit(ctx.db, async () => {
      for (const follower of this.#followers) for (const event of events) await follower.take(ctx, event)
    })
  }

  /** Resolves when everything that was committed has been followed; what takes longer than `timeoutMs` is left, and logged. */
  async settle(timeoutMs: number): Promise<void> {
    const left = await Promise.all(this.#followers.map((follower) => follower.settle(timeoutMs)))
    const count = left.reduce((sum, one) => sum + one, 0)
    if (count > 0) this.#parts.log.error({ count }, 'committed changes were not followed before the end')
  }
}

/** One listener's queue: a slow one delays nobody but itself. */
class Follower {
  readonly #follow: Listener
  readonly #waiting: { ctx: Context; event: DomainEvent }[] = []
  #running: Promise<void> | undefined

  constructor(follow: Listener) {
    this.#follow = follow
  }

  /** Resolves at once while there is room. */
  async take(ctx: Context, event: DomainEvent): Promise<void> {
    if (this.#waiting.length >= maxWaiting) await this.#running
    this.#waiting.push({ ctx, event })
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      await this.#follow(next.ctx, next.event)
    this.#running = undefined
  }

  /** @returns how many events are left */
  async settle(timeoutMs: number): Promise<number> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs)
    })
    await Promise.race([this.#running, late])
    clearTimeout(timer)
    return this.#waiting.length + (this.#running ? 1 : 0)
  }
}
/** Then whoever commits waits until the listener has caught up. */
const maxWaiting = 10_000
