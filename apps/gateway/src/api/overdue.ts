import type { Log } from '../log.ts'

const overdueMs = 60_000

/**
 * Speaks of an outage twice: when something has waited a minute for the server to take it, and when nothing does any more. What fails
 * meanwhile is tried again without a word.
 */
export class Overdue {
  readonly #log: Log
  readonly #what: string
  /** Since when each of the things that failed has waited. */
  readonly #since = new Map<string, number>()
  #isSaid = false

  /** @param what the things, in the plural */
  constructor(log: Log, what: string) {
    this.#log = log
    this.#what = what
  }

  failed(id: string, error: unknown): void {
    const now = performance.now()
    const since = this.#since.get(id) ?? now
    this.#since.set(id, since)
    if (this.#isSaid || now - since < overdueMs) return
    this.#isSaid = true
    this.#log.warn(
      { err: error, waiting: this.#since.size },
      `${this.#what} have waited a minute for the server to take them, and are tried on`,
    )
  }

  /** It went through, or is given up. */
  over(id: string): void {
    this.#since.delete(id)
    if (!this.#isSaid || this.#since.size > 0) return
    this.#isSaid = false
    this.#log.warn(`the server takes ${this.#what} again`)
  }
}
