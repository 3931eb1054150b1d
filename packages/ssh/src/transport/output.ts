import type { Duplex } from 'node:stream'
import type { Output } from '../packets/packet.ts'

/** So much is not held until what is being dealt with is over: the peer can begin with it. */
const flushBytes = 256 * 1024
/** What a stage begins with: most have a few small packets. */
const smallBytes = 8 * 1024
/** With room for what is written in one piece behind the last that did not fill it. */
const largeBytes = flushBytes + 64 * 1024
const maxSpares = 8

/** Places that wait to be used again. */
const spares = new Map<number, Buffer[]>([
  [smallBytes, []],
  [largeBytes, []],
])

function borrow(bytes: number): Buffer {
  return spares.get(bytes)?.pop() ?? Buffer.allocUnsafeSlow(bytes)
}

function giveBack(stage: Buffer): void {
  const list = spares.get(stage.length)
  if (list && list.length < maxSpares) list.push(stage)
}

/**
 * Gathers what is written while one thing is dealt with (a piece that was read, a timer), and hands it to the stream as one piece as soon
 * as that is done: what others of this turn of the event loop have to do is not waited for. At most `flushBytes` are not yet counted by
 * the stream, so back-pressure stays true. The stream has to be done with a piece when its callback is called.
 */
export class StagedOutput implements Output {
  readonly #stream: Duplex
  #stage: Buffer | undefined
  #used = 0

  constructor(stream: Duplex) {
    this.#stream = stream
  }

  write(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) {
      const stage = this.#stageFor(bytes.length - at)
      const count = Math.min(bytes.length - at, stage.length - this.#used)
      if (count === bytes.length) stage.set(bytes, this.#used)
      else stage.set(bytes.subarray(at, at + count), this.#used)
      this.#used += count
      at += count
      if (this.#used >= flushBytes) this.flush()
    }
  }

  flush(): void {
    const stage = this.#stage
    if (!stage) return
    this.#stage = undefined
    const bytes = stage.subarray(0, this.#used)
    if (!this.#stream.writable) giveBack(stage)
    else if (this.#stream.writableLength > 0 && bytes.length < stage.length / 4) {
      // The peer is slow: a little does not hold a whole place until it has read.
      this.#stream.write(Buffer.from(bytes))
      giveBack(stage)
    } else this.#stream.write(bytes, () => giveBack(stage))
  }

  #stageFor(bytes: number): Buffer {
    let stage = this.#stage
    if (!stage) {
      stage = borrow(bytes > smallBytes ? largeBytes : smallBytes)
      this.#used = 0
      queueMicrotask(() => this.flush())
    } else if (stage.length === smallBytes && this.#used + bytes > smallBytes) {
      const large = borrow(largeBytes)
      large.set(stage.subarray(0, this.#used))
      giveBack(stage)
      stage = large
    }
    this.#stage = stage
    return stage
  }
}
