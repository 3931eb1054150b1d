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
  /** So many of those at once are for people who have none. */
  forOthers?: number
  /** Who had a turn that took longer than `turnMs` has one at once for `forMs`. */
  slow?: { turnMs: number; forMs: number }
}

interface Asked {
  who: string
  alone: string | undefined
}
interface Waiting extends Asked {
  begin: () => void
}

/**
 * Carries out work when its turn has come; `who` has fewer at once than all together, and work that names the same as `alone` goes one after
 * the other. Who waits for one of these holds nothing others wait for.
 */
export type Turns = <T>(who: string, work: () => Promise<T>, alone?: string) => Promise<T>

/**
 * Heavy work in turns: a few at once, and of each person fewer, so that nobody takes the server away from everybody else. Who waits comes in
 * turn with everybody else who does, however much of theirs waits.
 * @throws ApiError 429 to who has too many waiting, 503 when too many wait, or for too long
 */
export function createTurns(bounds: TurnBounds): Turns {
  let running = 0
  const runningOf = new Map<string, number>()
  const alones = new Set<string>()
  /** The first is next; who got a turn goes to the end. */
  const queues = new Map<string, Waiting[]>()
  let waiting = 0
  /** Who took long lately, with what forgets it. */
  const slow = new Map<string, NodeJS.Timeout>()
  const isFree = (who: string) => {
    const own = runningOf.get(who) ?? 0
    if (own === 0) return running < bounds.atOnce
    return !slow.has(who) && own < bounds.atOnceOfOne && running < bounds.atOnce - (bounds.forOthers ?? 0)
  }
  const mayBegin = ({ who, alone }: Asked) => isFree(who) && (alone === undefined || !alones.has(alone))

  function markSlow(who: string, forMs: number): void {
    clearTimeout(slow.get(who))
    slow.set(who, setTimeout(() => slow.delete(who), forMs).unref())
  }

  function begin({ who, alone }: Asked): void {
    running += 1
    runningOf.set(who, (runningOf.get(who) ?? 0) + 1)
    if (alone !== undefined) alones.add(alone)
  }

  function end({ who, alone }: Asked): void {
    running -= 1
    const left = (runningOf.get(who) ?? 1) - 1
    if (left > 0) runningOf.set(who, left)
    else runningOf.delete(who)
    if (alone !== undefined) alones.delete(alone)
    // One that waited for its person, and another for what it names.
    for (;;) {
      const next = nextInTurn()
      if (next === undefined) return
      leave(next)
      next.begin()
    }
  }

  function nextInTurn(): Waiting | undefined {
    if (running >= bounds.atOnce) return undefined
    for (const own of queues.values()) {
      const first = own.find((one) => mayBegin(one))
      if (first !== undefined) return first
    }
    return undefined
  }

  /** Others of the same person, who has had a turn or has given up, wait behind those of everybody else. */
  function leave(one: Waiting): void {
    const left = queues.get(one.who)?.filter((other) => other !== one) ?? []
    waiting -= 1
    queues.delete(one.who)
    if (left.length > 0) queues.set(one.who, left)
  }

  async function turn(asked: Asked): Promise<void> {
    if (mayBegin(asked)) return begin(asked)
    const before = queues.get(asked.who) ?? []
    if (before.length >= bounds.waitingOfOne) throw new ApiError(429, 'overloaded')
    if (waiting >= bounds.waiting) throw new ApiError(503, 'overloaded')
    await new Promise<void>((resolve, reject) => {
      const own: Waiting = {
        ...asked,
        begin: () => {
          clearTimeout(late)
          begin(asked)
          resolve()
        },
      }
      const late = setTimeout(() => {
        leave(own)
        reject(new ApiError(503, 'overloaded'))
      }, bounds.waitMs)
      waiting += 1
      queues.set(asked.who, [...before, own])
    })
  }

  return async (who, work, alone) => {
    const asked = { who, alone }
    await turn(asked)
    const { slow: bound } = bounds
    const late = bound && setTimeout(() => markSlow(who, bound.forMs), bound.turnMs)
    try {
      return await work()
    } finally {
      clearTimeout(late)
      end(asked)
    }
  }
}
