/**
 * So many places; who waits for one gets it in turn with everybody else who waits, however many of theirs wait: a batch of hosts that do not
 * answer leaves places to the others.
 */
export class Places<Owner> {
  #free: number
  /** The first is next; who got a place goes to the end. */
  readonly #waiting = new Map<Owner, (() => void)[]>()

  constructor(count: number) {
    this.#free = count
  }

  async with<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    await this.#take(owner)
    try {
      return await work()
    } finally {
      this.#give()
    }
  }

  async #take(owner: Owner): Promise<void> {
    if (this.#free > 0) {
      this.#free--
      return
    }
    await new Promise<void>((resolve) => {
      const own = this.#waiting.get(owner)
      if (own) own.push(resolve)
      else this.#waiting.set(owner, [resolve])
    })
  }

  #give(): void {
    const [first] = this.#waiting
    if (first === undefined) {
      this.#free++
      return
    }
    const [owner, own] = first
    const next = own.shift()
    this.#waiting.delete(owner)
    if (own.length > 0) this.#waiting.set(owner, own)
    next?.()
  }
}
