/** The event loop works so long on what peers sent and are sent, all together, before it looks at everything else again: timers, answers of disks, new data. */
const turnMs = 4
/** … and so long for one of them, where others wait. */
const sliceMs = 0.5

let usedMs = 0
/** The number of the turn of the loop. */
let turn = 0
let isPlanned = false
/** Whose turn it is. */
let served: FairShare | undefined
/** The clock of whoever was served last. */
let virtualMs = 0
const waiting: FairShare[] = []

/**
 * One peer's share of the event loop, by start-time fair queueing: each has a clock that runs while its data is dealt with, and whoever's
 * clock is behind comes first. So a peer that sends without end slows down itself, and a keystroke passes all of them.
 *
 * Work is done in a turn (`begin` … `end`, or `resume`), or counted where it comes up (`count`).
 */
export class FairShare {
  /** It is this one's turn, after `wait`. */
  readonly resume: () => void
  /** Never behind that of whoever was served last, so that nobody saves up. */
  clockMs = 0
  /** Nothing more is to be done for this one before its turn. */
  isWaiting = false
  #isBegun = false
  #begunAt = 0
  #limitMs = 0
  #usedBeforeMs = 0
  /** What was counted, in that turn of the loop. */
  #counted = { turn: 0, ms: 0 }

  constructor(resume: () => void) {
    this.resume = resume
  }

  /** False when others come first, or the loop has to look elsewhere: then only `wait` is left. */
  begin(): boolean {
    if (served === this) return true
    if (usedMs >= turnMs || waiting.length > 0) return false
    planTurn()
    this.#start(turnMs - usedMs)
    return true
  }

  /** Whether it has to make room, after `begin`. */
  get isOver(): boolean {
    return performance.now() - this.#begunAt >= this.#limitMs
  }

  /** The work is done, or stops here, after `begin`. */
  end(): void {
    if (served !== this) this.#charge()
  }

  /**
   * Counts what was done for it since then in whoever's turn it came up: what goes to a peer is sealed at once, so that a keystroke waits for
   * nobody. Who has had its share that way waits.
   */
  count(sinceMs: number): void {
    const now = performance.now()
    if (!this.#isBegun) this.#add(now - sinceMs)
    if (!this.isWaiting && this.#hasHadEnough(now)) this.wait()
  }

  /** There is more to do, later. */
  wait(): void {
    this.#windUp()
    this.isWaiting = true
    waiting.push(this)
    planTurn()
  }

  /** Its turn, and everything its data sets off at once: what goes on to others leaves before anybody else's turn. */
  async serve(): Promise<void> {
    this.isWaiting = false
    this.#start(waiting.length > 0 ? sliceMs : turnMs - usedMs)
    try {
      this.resume()
      await settled()
    } finally {
      this.#charge()
    }
  }

  #start(limitMs: number): void {
    this.#windUp()
    virtualMs = this.clockMs
    this.#limitMs = limitMs
    this.#isBegun = true
    this.#usedBeforeMs = usedMs
    this.#begunAt = performance.now()
  }

  #charge(): void {
    const ms = performance.now() - this.#begunAt
    this.#isBegun = false
    this.clockMs += ms
    // What was counted for others meanwhile is part of it.
    usedMs = this.#usedBeforeMs + ms
  }

  #add(ms: number): void {
    planTurn()
    this.#windUp()
    this.clockMs += ms
    usedMs += ms
    if (this.#counted.turn !== turn) this.#counted = { turn, ms: 0 }
    this.#counted.ms += ms
  }

  #hasHadEnough(now: number): boolean {
    if (this.#isBegun) return now - this.#begunAt >= this.#limitMs
    return usedMs >= turnMs || (waiting.length > 0 && this.#counted.ms >= sliceMs)
  }

  #windUp(): void {
    this.clockMs = Math.max(this.clockMs, virtualMs)
  }
}

function planTurn(): void {
  if (isPlanned) return
  isPlanned = true
  setImmediate(() => void serveTurn())
}

async function serveTurn(): Promise<void> {
  usedMs = 0
  turn++
  try {
    for (let next = takeNext(); next; next = takeNext()) {
      served = next
      await next.serve()
      served = undefined
    }
  } finally {
    // Also where something went wrong in somebody's turn: the others have theirs.
    served = undefined
    isPlanned = false
    if (waiting.length > 0) planTurn()
  }
}

/** Undefined when the turn is over. */
function takeNext(): FairShare | undefined {
  if (usedMs >= turnMs) return undefined
  let first = 0
  for (const [at, { clockMs }] of waiting.entries()) {
    if (clockMs < (waiting[first]?.clockMs ?? 0)) first = at
  }
  return waiting.splice(first, 1)[0]
}

/** Microtasks that are there, and those they lead to, have run; no input or output was looked at. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    queueMicrotask(() => process.nextTick(resolve))
  })
}
