/** What is believed of how long an answer takes, at most, in ms: a program that rests is no slow line. */
const slowestMaxMs = 400
/** Each answer lets the slowest one fade. */
const fading = 0.9
/** What comes in pieces has come within so much of the first one; what comes later is no part of the answer. */
const piecesWithinMs = 300

/**
 * Whether something came since something was sent last. A key may change nothing on the screen; then only how long other answers took
 * tells that none is to come. So it does where keys were sent before those before them were answered: nobody knows which ones an answer is for.
 */
export class Answers {
  #isAwaited = false
  /** What was sent last was sent when an answer to something else may still have been on its way. */
  #isOverlapping = false
  #firstSentMs = 0
  #lastSentMs = 0
  #slowestMs = 0
  #answeredMs = 0
  #lastCameMs = 0

  /** Something went on to the target. */
  sent(): void {
    const now = performance.now()
    this.#isOverlapping = this.#isAwaited || (this.#isOverlapping && !this.#isLate(now))
    this.#lastSentMs = now
    if (!this.#isAwaited) this.#firstSentMs = now
    this.#isAwaited = true
  }

  /** Something came from it. */
  came(): void {
    const now = performance.now()
    this.#lastCameMs = now
    if (!this.#isAwaited) return
    this.#isAwaited = false
    this.#answeredMs = now
    const tookMs = now - this.#firstSentMs
    this.#slowestMs = Math.min(slowestMaxMs, Math.max(tookMs, this.#slowestMs * fading))
  }

  get isAnswered(): boolean {
    return !this.#isAwaited
  }

  /** Or it would have come by now. */
  get isOver(): boolean {
    return (this.isAnswered && !this.#isOverlapping) || this.#isLate(performance.now())
  }

  /** When the last piece of the last answer came; of `performance.now()`. */
  get wholeAtMs(): number {
    return Math.min(this.#lastCameMs, this.#answeredMs + piecesWithinMs)
  }

  #isLate(now: number): boolean {
    return now - this.#lastSentMs >= 2 * this.#slowestMs
  }
}
