/**
 * Work that messages of a socket ask for: one piece at a time, and of those asked for meanwhile the last. However many somebody sends, they
 * cost the server one at a time, and none of them is kept but that one.
 */
export class Latest<T> {
  readonly #work: (asked: T, signal: AbortSignal) => Promise<void>
  readonly #failed: (error: unknown) => void
  #waiting: { asked: T } | undefined
  #doing: AbortController | undefined
  #hasFailed = false
  #isEnded = false

  /**
   * The signal of `work` aborts when something else is asked for, and at the end. `failed` hears of a failure once, until something works
   * again.
   */
  constructor(work: (asked: T, signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void) {
    this.#work = work
    this.#failed = failed
  }

  ask(asked: T): void {
    if (this.#isEnded) return
    this.#waiting = { asked }
    if (this.#doing) this.#doing.abort()
    else void this.#run()
  }

  /** Nothing is begun any more. */
  end(): void {
    this.#isEnded = true
    this.#waiting = undefined
    this.#doing?.abort()
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting; next !== undefined; next = this.#waiting) {
      this.#waiting = undefined
      this.#doing = new AbortController()
      try {
        await this.#work(next.asked, this.#doing.signal)
        this.#hasFailed = false
      } catch (error) {
        if (!this.#hasFailed) this.#failed(error)
        this.#hasFailed = true
      }
    }
    this.#doing = undefined
  }
}
