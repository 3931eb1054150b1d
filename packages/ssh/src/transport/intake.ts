import type { Duplex } from 'node:stream'
import type { Input } from '../packets/packet-reader.ts'
import { FairShare } from './fair-share.ts'

export interface IntakeOptions {
  /** Deals with the next thing in the input; a promise when that takes time, undefined when more has to come first. What it throws, and what a promise rejects with, is the end. */
  takeNext: (input: Input) => Promise<void> | 'done' | undefined
  fail: (error: unknown) => void
}

/** What sockets read at once, at most. */
const fullBytes = 64 * 1024

/**
 * Takes in what a stream reads, one thing after the other: while one is dealt with, the stream is held, and nothing behind it is looked at.
 * All streams share the event loop.
 */
export class Intake {
  readonly #stream: Duplex
  readonly #options: IntakeOptions
  /** The last piece was as large as they get: more waits in the stream. */
  isBehind = false
  #isEnded = false
  #isHeld = false
  /** Held by what takes time, and not by others whose turn it is. */
  #takesTime = false
  #onThrough: (() => void) | undefined
  readonly #waiting: Input[] = []
  readonly #share = new FairShare(() => this.#goOn())

  constructor(stream: Duplex, options: IntakeOptions) {
    this.#stream = stream
    this.#options = options
    stream.on('data', (chunk: Buffer) => this.#onData(chunk))
  }

  /** Something is being dealt with: what comes waits. */
  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Calls back, for the first who asks, when all that came is dealt with; at once where that takes time, as nobody waits for it any more. */
  whenThrough(then: () => void): void {
    this.#onThrough ??= then
    this.#tellThrough()
  }

  #tellThrough(): void {
    const then = this.#onThrough
    if (!then || this.#isEnded || (this.#isHeld && !this.#takesTime)) return
    this.#onThrough = undefined
    then()
  }

  /** Nothing more is looked at. */
  end(): void {
    this.#isEnded = true
    this.#waiting.length = 0
  }

  #onData(chunk: Buffer): void {
    if (this.#isEnded) return
    this.isBehind = chunk.length >= fullBytes
    if (this.#isHeld) this.#waiting.push({ bytes: Buffer.from(chunk), at: 0 })
    else this.#take({ bytes: chunk, at: 0 }, false)
  }

  /** `isOurs`: the bytes stay as they are when this returns. */
  #take(first: Input, isOurs: boolean): void {
    this.#isHeld = true
    if (!this.#share.begin()) {
      this.#hold(first, isOurs)
      this.#share.wait()
      return
    }
    let input: Input | undefined = first
    try {
      while (input && !this.#isEnded) {
        const taken = this.#options.takeNext(input)
        if (taken === undefined) {
          input = this.#waiting.shift()
          isOurs = true
        } else if (taken !== 'done') {
          this.#hold(input, isOurs)
          this.#takesTime = true
          taken.then(
            () => this.#goOn(),
            (error: unknown) => this.#options.fail(error),
          )
          return
        } else if (this.#share.isOver) {
          this.#hold(input, isOurs)
          this.#share.wait()
          return
        }
      }
    } catch (error) {
      this.#options.fail(error)
      return
    } finally {
      this.#share.end()
    }
    this.#isHeld = false
  }

  #hold(rest: Input, isOurs: boolean): void {
    this.#waiting.unshift(isOurs ? rest : { bytes: Buffer.from(rest.bytes.subarray(rest.at)), at: 0 })
    this.#stream.pause()
  }

  #goOn(): void {
    const next = this.#waiting.shift()
    if (this.#isEnded || !next) return
    this.#takesTime = false
    this.#take(next, true)
    if (!this.#isHeld) this.#stream.resume()
    this.#tellThrough()
  }
}
