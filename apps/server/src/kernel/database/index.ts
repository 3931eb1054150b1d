import { setTimeout as sleep } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import { type Client, Pool, type PoolClient, type PoolConfig } from 'pg'
import type { Logger } from '../log.ts'
import { callerHere } from './caller.ts'
import { endsWithConnection } from './migrate.ts'
import { PreparingClient } from './prepared.ts'
import { createTurns, type Turns } from '../turns.ts'
import { boundsOf, poolSize, type Sharer, sharerHere, statementTimeoutMs } from './shares.ts'
import { transactionHere } from './transaction.ts'

export { workForAll, workForCaller } from './caller.ts'
export { clockMs, clockOf } from './clock.ts'
export { beginning, containing, literal } from './like.ts'
export { daysAgo, removeOldRows } from './old-rows.ts'
export { poolSize, readStatementMs, shares, statementTimeoutMs, workFor } from './shares.ts'
export { subselect } from './subselect.ts'
export {
  afterCommit,
  transactionHere,
  withTransaction,
  type Executor,
  type Transaction,
} from './transaction.ts'

/** The database of this process: a pool, and drizzle on top of it. */
export interface Database {
  url: string
  pool: Pool
  db: NodePgDatabase
  /** Waits a second for queries that run, then closes the connections. */
  close(): Promise<void>
}

export interface DatabaseOptions {
  log: Logger
}

const closeGraceMs = 1000
const lockTimeoutMs = 10_000
/** Of the time a statement has. */
const lockShare = 0.75

type Connected = Parameters<Pool['connect']>[0]

/**
 * One request holds one connection: with all of them held by transactions, one that asks for a second would wait for the others and
 * they for it. Who has a share of the connections (shares.ts) waits for one of it, and has its limit of time. What is done for a caller who has gone is done no further.
 */
class GuardedPool extends Pool {
  readonly #taken = new Set<PoolClient>()
  readonly #releases = new WeakMap<PoolClient, () => void>()
  /** How long their statements take at most, where that was changed. */
  readonly #limits = new WeakMap<PoolClient, number>()
  readonly #turns: Readonly<Record<Sharer['share'], Turns>> = {
    people: createTurns(boundsOf.people),
    executions: createTurns(boundsOf.executions),
  }

  constructor(config: PoolConfig) {
    super(config)
    this.on('acquire', (client) => this.#taken.add(client))
    this.on('release', (_error, client) => {
      this.#taken.delete(client)
      this.#releases.get(client)?.()
      this.#releases.delete(client)
    })
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<PoolClient> | void {
    if (transactionHere() !== undefined) {
      const refusal = new Error(
        'The pool was asked for a second connection inside a transaction; use the one of the context',
      )
      if (callback === undefined) return Promise.reject(refusal)
      return callback(refusal, undefined, () => {})
    }
    const taken = this.#takenFor(callerHere(), sharerHere())
    if (callback === undefined) return taken
    void handTo(callback, taken)
  }

  /** @throws Error when the caller has gone meanwhile; the connection is given back then */
  async #takenFor(caller: AbortSignal | undefined, sharer: Sharer | undefined): Promise<PoolClient> {
    const endTurn = sharer === undefined ? () => {} : await this.#turnOf(sharer)
    let client: PoolClient
    try {
      if (caller?.aborted) throw new Error('Connection terminated: nobody waits for the answer')
      client = await super.connect()
      await this.#limit(client, sharer?.statementMs ?? statementTimeoutMs)
    } catch (error) {
      endTurn()
      throw error
    }
    // With a query under way the driver closes the connection at once, and the database looks for that.
    const close = () => void (client as unknown as Client).end().catch(() => {})
    this.#releases.set(client, () => {
      caller?.removeEventListener('abort', close)
      endTurn()
    })
    if (caller?.aborted) {
      client.release()
      throw new Error('Connection terminated: nobody waits for the answer')
    }
    caller?.addEventListener('abort', close)
    return client
  }

  /** Most connections have the limit already: they served the like before. */
  async #limit(client: PoolClient, statementMs: number): Promise<void> {
    if ((this.#limits.get(client) ?? statementTimeoutMs) === statementMs) return
    try {
      // Who waits for a lock hears that somebody holds it, not that it took too long.
      const lockMs = Math.min(lockTimeoutMs, statementMs * lockShare)
      await client.query(`set statement_timeout = ${statementMs}; set lock_timeout = ${lockMs}`)
    } catch (error) {
      client.release(true)
      throw error
    }
    this.#limits.set(client, statementMs)
  }

  /** Waits `graceMs` for what is done over connections; what is not over then is cut off, and the database ends it. */
  async endWithin(graceMs: number): Promise<void> {
    const ended = this.end()
    await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    await Promise.all([...this.#taken].map((client) => (client as unknown as Client).end().catch(() => {})))
  }

  /** @returns what ends it */
  #turnOf({ share, id }: Sharer): Promise<() => void> {
    const begun = Promise.withResolvers<() => void>()
    const over = Promise.withResolvers<void>()
    this.#turns[share](id, () => {
      begun.resolve(over.resolve)
      return over.promise
    }).catch(begun.reject)
    return begun.promise
  }
}

async function handTo(callback: Connected, taken: Promise<PoolClient>): Promise<void> {
  let client: PoolClient
  try {
    client = await taken
  } catch (error) {
    return callback(error as Error, undefined, () => {})
  }
  return callback(undefined, client, (error) => client.release(error))
}

/**
 * Opens a pool; connects when first used. Statements end after 30 s, waiting for a lock after 10 s, and a forgotten
 * transaction after 60 s.
 */
export function openDatabase(url: string, { log }: DatabaseOptions): Database {
  const pool = new GuardedPool({
    Client: PreparingClient,
    connectionString: url,
    application_name: 'sallyport',
    max: poolSize,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: 60_000,
    // The database enforces the limit; this one is for a database that no longer answers at all.
    query_timeout: statementTimeoutMs + 5000,
    keepAlive: true,
    // A statement nobody waits for any more is stopped: its connection was closed.
    options: endsWithConnection,
  })
  pool.on('error', (error) => log.warn({ err: error }, 'an idle database connection was lost'))
  // The pool does not listen to a connection that is in use; what is asked over it next fails, and nothing else.
  pool.on('connect', (client) => {
    client.on('error', (error) => log.debug({ err: error }, 'a database connection was lost'))
  })
  return { url, pool, db: drizzle({ client: pool }), close: () => pool.endWithin(closeGraceMs) }
}
