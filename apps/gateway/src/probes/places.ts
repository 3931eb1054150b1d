/**
 * So many places, and fewer for each who wants them; who waits for one gets it in turn with everybody else who waits, however many of theirs
 * wait: a batch of hosts that do not answer leaves places to the others.
 */
export class Places<Owner> {
  #free: number
  readonly #ofOne: number
  readonly #held = new Map<Owner, number>()
  /** The first is next; who got a place goes to the end. */
  readonly #waiting = new Map<Owner, (() => void)[]>()

  constructor(count: number, ofOne = count) {
    this.#free = count
    this.#ofOne = ofOne
  }

  async with<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    await this.#take(owner)
    try {
      return await work()
    } finally {
      this.#give(owner)
    }
  }

  async #take(owner: Owner): Promise<void> {
    await new Promise<void>((resolve) => {
      const own = this.#waiting.get(owner)
      if (own) own.push(resolve)
      else this.#waiting.set(owner, [resolve])
      this.#next()
    })
  }

  #give(owner: Owner): void {
    const left = this.#heldBy(owner) - 1
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
    this.#free++
    this.#next()
  }

  /** At most one: one came, or one place became free. */
  #next(): void {
    if (this.#free === 0) return
    for (const [owner, own] of this.#waiting) {
      if (this.#heldBy(owner) >= this.#ofOne) continue
      const begin = own.shift()
      this.#waiting.delete(owner)
      if (own.length > 0) this.#waiting.set(owner, own)
      this.#held.set(owner, this.#heldBy(owner) + 1)
      this.#free--
      begin?.()
      return
    }
  }

  readonly #heldBy = (owner: Owner): number => this.#held.get(owner) ?? 0
}
