import type { Live } from './live.ts'

/** Wakes work that waits for news of others; what is told while it does not wait is not missed. */
export class Wakeups {
  readonly #ends: (() => void)[]
  #told = false
  #wake: (() => void) | undefined

  /** Of what is told on that channel, what `isMine` says concerns this work. */
  constructor(live: Live, channel: string, isMine: (payload: unknown) => boolean) {
    const ring = () => {
      this.#told = true
      this.#wake?.()
    }
    this.#ends = [
      live.subscribe(channel, (payload) => {
        if (isMine(payload)) ring()
      }),
      live.onGap(ring),
    ]
  }

  /** From now on what is told counts. */
  expect(): void {
    this.#told = false
  }

  /** Until something was told since, at most so long, or until the signal aborts. */
  async heard(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#told || signal.aborted) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, timeoutMs)
      function done() {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#wake = done
      signal.addEventListener('abort', done)
    })
    this.#wake = undefined
  }

  end(): void {
    for (const end of this.#ends) end()
  }
}
