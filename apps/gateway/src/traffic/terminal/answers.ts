/** What is believed of how long an answer takes, at most, in ms: a program that rests is no slow line. */
const slowestMaxMs = 400
/** Each answer lets the slowest one fade. */
const fading = 0.9

/**
 * Whether something came since something was sent last. A key may change nothing on the screen; then only how long other answers took
 * tells that none is to come.
 */
export class Answers {
  #isAwaited = false
  #firstSentMs = 0
  #lastSentMs = 0
  #slowestMs = 0

  /** Something went on to the target. */
  sent(): void {
    this.#lastSentMs = performance.now()
    if (!this.#isAwaited) this.#firstSentMs = this.#lastSentMs
    this.#isAwaited = true
  }

  /** Something came from it. */
  came(): void {
    if (!this.#isAwaited) return
    this.#isAwaited = false
    const tookMs = performance.now() - this.#firstSentMs
    this.#slowestMs = Math.min(slowestMaxMs, Math.max(tookMs, this.#slowestMs * fading))
  }

  get isAnswered(): boolean {
    return !this.#isAwaited
  }

  /** Or it would have come by now. */
  get isOver(): boolean {
    return this.isAnswered || performance.now() - this.#lastSentMs >= 2 * this.#slowestMs
  }
}
