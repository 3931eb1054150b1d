/** What one request writes: in its turn, within its time, and only while somebody waits for it. */
import { shares, type Transaction, withTransaction, workForCaller } from '../database/index.ts'
import type { Database } from '../database/index.ts'
import { ApiError } from '../errors.ts'
import { createTurns } from '../turns.ts'

export interface WriteBounds {
  /** Of reading what was sent, and of the transaction until everything in it is done. With the wait between less than idle connections are kept. */
  longestMs: number
  /** From the moment its caller has gone: who saves and leaves the page has saved. */
  unheardMs: number
}
export const writeBounds: WriteBounds = { longestMs: 30_000, unheardMs: 3000 }
export const writeWaitMs = 20_000

const turns = createTurns({
  atOnce: shares.writes.atOnce,
  atOnceOfOne: 3,
  waiting: 400,
  waitingOfOne: 200,
  waitMs: writeWaitMs,
})

/**
 * Runs `work` in a transaction. Until it is done, nothing is left of it once its time is over, which is soon where `gone` is aborted: the
 * connection is closed then, and the database stops. Writes of the same `alone` begin one after the other. Where there is no `person`
 * there are no turns: strangers sign in, and components speak for many people.
 * @throws ApiError 429 and 503 as turns do, 503 `timeout` when it took too long
 */
export function writeForCaller<T>(
  { db }: Pick<Database, 'db'>,
  person: string | undefined,
  gone: AbortSignal,
  bounds: WriteBounds,
  work: (tx: Transaction) => Promise<T>,
  alone?: string,
): Promise<T> {
  const begun = () => {
    // Who left while they waited for their turn.
    if (gone.aborted) return Promise.reject(new ApiError(503, 'overloaded'))
    return stoppable(gone, bounds, (stop, done) =>
      workForCaller(stop, () => withTransaction(db, (tx) => work(tx).finally(done))),
    )
  }
  return person === undefined ? begun() : turns(person, begun, alone)
}

/**
 * What is done for a write before it waits for its turn: it takes of its time, and is given up where the write would be. Answers what it
 * made, and what is left of the time.
 * @throws ApiError 503 as writeForCaller does
 */
export async function aheadOfWrite<T>(
  gone: AbortSignal,
  bounds: WriteBounds,
  work: () => Promise<T>,
): Promise<{ made: T; left: WriteBounds }> {
  if (gone.aborted) throw new ApiError(503, 'overloaded')
  const begun = performance.now()
  const made = await stoppable(gone, bounds, (stop) => {
    // What goes on in a thread is not waited for.
    const stopped = new Promise<never>((_resolve, reject) => {
      stop.addEventListener('abort', () => reject(new Error('the time of the write is over')), { once: true })
    })
    return Promise.race([workForCaller(stop, work), stopped])
  })
  return { made, left: { ...bounds, longestMs: bounds.longestMs - (performance.now() - begun) } }
}

/** `work` stops when it is told to; from `done` on it is not told any more: what is being committed is not given up. */
async function stoppable<T>(
  gone: AbortSignal,
  { longestMs, unheardMs }: WriteBounds,
  work: (stop: AbortSignal, done: () => void) => Promise<T>,
): Promise<T> {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  const late = setTimeout(stop, longestMs)
  let unheard: NodeJS.Timeout | undefined
  const left = () => {
    unheard = setTimeout(stop, unheardMs)
  }
  const done = () => {
    clearTimeout(late)
    clearTimeout(unheard)
    gone.removeEventListener('abort', left)
  }
  gone.addEventListener('abort', left)
  try {
    return await work(stopped.signal, done)
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    throw new ApiError(503, gone.aborted ? 'overloaded' : 'timeout', { cause: error })
  } finally {
    done()
  }
}
