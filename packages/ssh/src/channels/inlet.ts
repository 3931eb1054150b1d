import type { Readable } from 'node:stream'

/** Less than this is put together with what comes next where nobody reads. */
const smallBytes = 1024
const stageBytes = 16 * 1024

/**
 * What came for a stream and waits to be read. A window counts bytes, but each piece in a stream costs memory of its own, a hundred times as
 * much if it is a single byte: so while nobody reads, small pieces become large ones. The stream's `_read` has to call `flush`.
 */
export class Inlet {
  readonly #stream: Readable
  #stage: Buffer | undefined
  #used = 0

  constructor(stream: Readable) {
    this.#stream = stream
  }

  get unreadBytes(): number {
    return this.#stream.readableLength + this.#used
  }

  take(bytes: Buffer): void {
    const { readableLength, readableHighWaterMark } = this.#stream
    const isRead = this.#used === 0 && readableLength < readableHighWaterMark
    if (isRead || bytes.length >= smallBytes) {
      this.flush()
      this.#stream.push(bytes)
      return
    }
    if (this.#used + bytes.length > stageBytes) this.flush()
    this.#stage ??= Buffer.allocUnsafe(stageBytes)
    this.#stage.set(bytes, this.#used)
    this.#used += bytes.length
  }

  flush(): void {
    const stage = this.#stage
    if (!stage) return
    const bytes = stage.subarray(0, this.#used)
    this.#stage = undefined
    this.#used = 0
    this.#stream.push(bytes)
  }

  end(): void {
    this.flush()
    this.#stream.push(null)
  }
}
