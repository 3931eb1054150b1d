/** What several channels may make us keep, all together, beyond the little each may. */
export class WindowBudget {
  #leftBytes: number

  constructor(bytes: number) {
    this.#leftBytes = bytes
  }

  /** False when there is not so much left. */
  take(bytes: number): boolean {
    if (bytes > this.#leftBytes) return false
    this.#leftBytes -= bytes
    return true
  }

  giveBack(bytes: number): void {
    this.#leftBytes += bytes
  }
}
