import { ApiError } from './errors.ts'

export interface TurnBounds {
  /** How many are carried out at once, of everybody and of one person. */
  atOnce: number
  atOnceOfOne: number
  /** How many wait for their turn, of everybody and of one person. */
  waiting: number
  waitingOfOne: number
  /** Who has waited so long is refused. */
  waitMs: number
}

interface Waiting {
  who: string
  begin: () => void
}

/** Carries out work when its turn has come; `who` has fewer at once than all together. */
export type Turns = <T>(who: string, work: () => Promise<T>) => Promise<T>

/**
 * Heavy work in turns: a few at once, and of each person fewer, so that nobody takes the server away from everybody else.
 * @throws ApiError 429 to who has too many waiting, 503 when too many wait, or for too long
 */
export function createTurns(bounds: TurnBounds): Turns {
  let running = 0
  const runningOf = new Map<string, number>()
  const queue: Waiting[] = []
  const mayBegin = (who: string) => (runningOf.get(who) ?? 0) < bounds.atOnceOfOne

  function begin(who: string): void {
    running += 1
    runningOf.set(who, (runningOf.get(who) ?? 0) + 1)
  }

  function end(who: string): void {
    running -= 1
    const left = (runningOf.get(who) ?? 1) - 1
    if (left > 0) runningOf.set(who, left)
    else runningOf.delete(who)
    const next = queue.findIndex((waiting) => mayBegin(waiting.who))
    if (next !== -1) queue.splice(next, 1)[0]?.begin()
  }

  async function turn(who: string): Promise<void> {
    if (running < bounds.atOnce && mayBegin(who)) return begin(who)
    if (queue.filter((waiting) => waiting.who === who).length >= bounds.waitingOfOne)
      throw new ApiError(429, 'overloaded')
    if (queue.length >= bounds.waiting) throw new ApiError(503, 'overloaded')
    await new Promise<void>((resolve, reject) => {
      const own: Waiting = {
        who,
        begin: () => {
          clearTimeout(late)
          begin(who)
          resolve()
        },
      }
      const late = setTimeout(() => {
        queue.splice(queue.indexOf(own), 1)
        reject(new ApiError(503, 'overloaded'))
      }, bounds.waitMs)
      queue.push(own)
    })
  }

  return async (who, work) => {
    await turn(who)
    try {
      return await work()
    } finally {
      end(who)
    }
  }
}
