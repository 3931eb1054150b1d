/** Asks a silent peer for a sign of life, again and again; gives it up after three that stayed without an answer. */
export class Keepalive {
  readonly #timer: NodeJS.Timeout
  #isHeard = true
  #unanswered = 0

  constructor(intervalMs: number, ask: () => void, giveUp: () => void) {
    this.#timer = setInterval(() => {
      if (this.#isHeard) this.#unanswered = 0
      else if (this.#unanswered === maxUnanswered) {
        this.stop()
        giveUp()
      } else {
        this.#unanswered++
        ask()
      }
      this.#isHeard = false
    }, intervalMs)
  }

  /** Something came, whatever it was. */
  heard(): void {
    this.#isHeard = true
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

const maxUnanswered = 3
