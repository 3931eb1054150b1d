import type { Duplex } from 'node:stream'
import { release } from '../packets/memory.ts'
import { MalformedError, SshError } from '../wire/errors.ts'
import { maxPacketBytes } from './fields.ts'

const lengthBytes = 4

/** Packets on a stream: a length of 32 bits before each (draft-ietf-secsh-filexfer-02, 3). */
export class SftpPackets {
  /**
   * Gets each packet without its length, in order, in memory that is the receiver's. A promise holds what comes behind it, and with it the
   * stream; an `SshError` it throws or rejects with ends everything.
   */
  onPacket: (payload: Buffer) => void | Promise<void> = () => {}
  /** No more comes: once, with what was wrong where something was. */
  onEnd: (error: SshError | undefined) => void = () => {}
  readonly #stream: Duplex
  #chunk: Buffer = Buffer.alloc(0)
  /** Parts of the chunk were handed out, so that its memory is not ours any more. */
  #isChunkShared = false
  /** A length or a packet that is not whole yet. */
  #part: Buffer = Buffer.allocUnsafe(lengthBytes)
  #partBytes = 0
  #isLength = true
  readonly #sending = new Set<() => void>()
  #isHeld = false
  #isEnded = false

  constructor(stream: Duplex) {
    this.#stream = stream
    stream.on('data', (chunk: Buffer) => this.#take(chunk))
    stream.once('end', () => this.#end())
    stream.once('close', () => this.#closed())
    stream.once('error', (error) => this.#lost(error))
  }

  /** Calls back when the stream has taken the packet, or never will. */
  send(packet: Buffer, done: () => void): void {
    if (this.#stream.destroyed || this.#stream.writableEnded) {
      done()
      return
    }
    this.#sending.add(done)
    this.#stream.write(packet, () => {
      if (this.#sending.delete(done)) done()
    })
  }

  /** Ends at once. */
  fail(error: SshError | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#stream.destroy()
    this.onEnd(error)
  }

  #take(chunk: Buffer): void {
    if (this.#isEnded) return
    this.#chunk = chunk
    this.#isChunkShared = false
    this.#run()
    if (this.#isHeld) this.#stream.pause()
  }

  #run(): void {
    try {
      for (;;) {
        const payload = this.#next()
        if (!payload || this.#isEnded) return
        const held = this.onPacket(payload)
        if (held) {
          this.#hold(held)
          return
        }
      }
    } catch (error) {
      this.#lost(error)
    }
  }

  #hold(held: Promise<void>): void {
    this.#isHeld = true
    const resume = () => {
      this.#isHeld = false
      if (this.#isEnded) return
      this.#run()
      if (!this.#isHeld) this.#stream.resume()
    }
    held.then(resume, (error: unknown) => this.#lost(error))
  }

  /** The next whole packet, or undefined when all of the chunk is used. */
  #next(): Buffer | undefined {
    if (this.#isLength && !this.#fill()) return undefined
    if (this.#isLength) this.#begin(this.#part.readUInt32BE(0))
    const chunk = this.#chunk
    if (this.#partBytes === 0 && chunk.length >= this.#part.length) {
      const payload = chunk.subarray(0, this.#part.length)
      this.#chunk = chunk.subarray(this.#part.length)
      this.#isChunkShared = true
      this.#expectLength()
      return payload
    }
    if (!this.#fill()) return undefined
    const payload = this.#part
    this.#expectLength()
    return payload
  }

  #begin(length: number): void {
    if (length === 0 || length > maxPacketBytes) throw new MalformedError('A packet has no allowed length')
    this.#isLength = false
    this.#part = Buffer.allocUnsafe(length)
    this.#partBytes = 0
  }

  #expectLength(): void {
    this.#isLength = true
    this.#part = Buffer.allocUnsafe(lengthBytes)
    this.#partBytes = 0
  }

  /** Moves what there is into the part; whether that is whole. */
  #fill(): boolean {
    const chunk = this.#chunk
    const bytes = Math.min(this.#part.length - this.#partBytes, chunk.length)
    chunk.copy(this.#part, this.#partBytes, 0, bytes)
    this.#partBytes += bytes
    this.#chunk = chunk.subarray(bytes)
    if (this.#chunk.length === 0 && bytes > 0 && !this.#isChunkShared) {
      this.#chunk = Buffer.alloc(0)
      release(chunk)
    }
    return this.#partBytes === this.#part.length
  }

  #end(): void {
    if (this.#isEnded) return
    if (!this.#isLength || this.#partBytes > 0) {
      this.fail(new MalformedError('The stream ends within a packet'))
      return
    }
    this.#isEnded = true
    this.onEnd(undefined)
  }

  /** Not every stream calls back for what it had not sent. */
  #closed(): void {
    this.#end()
    const sending = [...this.#sending]
    this.#sending.clear()
    for (const done of sending) done()
  }

  #lost(error: unknown): void {
    this.fail(
      error instanceof SshError
        ? error
        : new SshError('connectionLost', 'The stream is broken', { cause: error }),
    )
  }
}
