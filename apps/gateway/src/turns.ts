import { setImmediate as nextTurn } from 'node:timers/promises'

let last: Promise<unknown> = Promise.resolve()

/**
 * Resolves in a turn of the event loop that nobody else is given by this: whoever works for milliseconds asks first, so that twenty who
 * come at once do not work in one turn, with everybody else waiting.
 */
export const ownTurn = async (): Promise<void> => {
  const turn = last.then(() => nextTurn())
  last = turn
  await turn
}
