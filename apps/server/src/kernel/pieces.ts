/** Long work on the event loop, done in pieces, between which everybody else has a turn. */
import { setImmediate } from 'node:timers/promises'
import { callerHere } from './database/caller.ts'
import { ApiError } from './errors.ts'

const pieceMs = 20

let last: Promise<unknown> = Promise.resolve()
/** One goes on in each turn of the event loop: however many are at work on something long, others wait for one piece. */
const turnOfOthers = () => (last = last.then(() => setImmediate()))

/**
 * The items one by one, for loops whose work adds up; `Array.fromAsync(inPieces(rows), (row) => …)` maps them.
 * @throws ApiError 503 when whoever this is done for has gone, or their time is over
 */
export async function* inPieces<T>(items: Iterable<T>): AsyncGenerator<T, void, void> {
  let begun = performance.now()
  for (const item of items) {
    if (performance.now() - begun >= pieceMs) {
      await turnOfOthers()
      begun = performance.now()
    }
    if (callerHere()?.aborted) throw new ApiError(503, 'overloaded')
    yield item
  }
}
