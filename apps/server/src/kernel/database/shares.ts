/**
 * How the connections of a process are shared. What people read and write, and what is done beside requests, have connections of their own
 * number; the rest is kept for signing in, components, health and news between processes, whatever the others wait for.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { TurnBounds } from '../turns.ts'

/** What of one kind goes on at once, and the connections each holds. */
interface Share {
  atOnce: number
  connections: number
}

/** Of people. */
export const shares = {
  /** Counted and read at the same time. */
  pages: { atOnce: 6, connections: 2 },
  writes: { atOnce: 8, connections: 1 },
  /** Until the last row was sent. */
  exports: { atOnce: 4, connections: 1 },
  wholeLists: { atOnce: 2, connections: 1 },
  /** Single rows, and what else is read in passing. */
  others: { atOnce: 4, connections: 1 },
} satisfies Record<string, Share>

const connectionsOf = (all: readonly Share[]) =>
  all.reduce((sum, { atOnce, connections }) => sum + atOnce * connections, 0)

/** Of all people together, and of one of them; of executions, however many run. */
const ofPeople = connectionsOf(Object.values(shares))
const ofOnePerson = 12
const ofExecutions = 4
const kept = 8

/**
 * The most connections of a pool, 42. Those that are rarely needed close after a minute. A process has six more for its jobs and its
 * events: the embedded PostgreSQL, which takes 200, has room for four, one with its usual 100 for two.
 */
export const poolSize = ofPeople + ofExecutions + kept

/** Who work is done for that has its share of the connections. */
export interface Sharer {
  share: 'people' | 'executions'
  id: string
  /** Its statements end after so long; `statementTimeoutMs` unless said. */
  statementMs?: number
}

export const statementTimeoutMs = 30_000
/** What somebody waits for in front of a screen; lists read to their end (walk.ts) take longer. */
export const readStatementMs = 8000

/** What waits for a connection longer than this is refused. */
const waitMs = 10_000
export const boundsOf: Readonly<Record<Sharer['share'], TurnBounds>> = {
  people: { atOnce: ofPeople, atOnceOfOne: ofOnePerson, waiting: 2000, waitingOfOne: 500, waitMs },
  executions: { atOnce: ofExecutions, atOnceOfOne: 2, waiting: 2000, waitingOfOne: 500, waitMs: 60_000 },
}

const here = new AsyncLocalStorage<Sharer | undefined>()

/** The connections `work` takes are those of its share. */
export const workFor = <T>(sharer: Sharer | undefined, work: () => T): T => here.run(sharer, work)

export const sharerHere = (): Sharer | undefined => here.getStore()
