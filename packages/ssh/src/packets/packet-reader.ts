import { lengthBytes, type Opener } from './packet.ts'
import { plainOpener } from './plain.ts'

/** Where packets wait of which a part is there; most are of this size in bulk. */
const spareBytes = 35_000
const spares: Buffer[] = []
const maxSpares = 8

/** Bytes as they were read, and how far they are used up. */
export interface Input {
  bytes: Buffer
  at: number
}

/** Cuts what is read into packets, and opens them: where they were read if they are whole there. */
export class PacketReader {
  /** Of the packet that comes next. */
  sequence = 0
  /** What was read with these keys. */
  readonly sinceKeys = { packets: 0, bytes: 0 }
  /** Of one packet with all around it. */
  maxBytes: number
  #opener: Opener = plainOpener
  #part: Buffer | undefined
  #partBytes = 0
  /** Of the packet that is coming in; 0 while it is not known. */
  #total = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Takes effect with the next packet. */
  set opener(opener: Opener) {
    this.#opener = opener
    this.sinceKeys.packets = this.sinceKeys.bytes = 0
  }

  /** Whether the next byte begins a packet. */
  get isBetweenPackets(): boolean {
    return this.#partBytes === 0
  }

  /** The payload of the next packet, or undefined when it is not there yet: then all of the input was taken. */
  next(input: Input): Buffer | undefined {
    const { headBytes } = this.#opener
    if (this.#part === undefined) {
      const there = input.bytes.length - input.at
      if (there >= headBytes) {
        if (this.#total === 0)
          this.#total = this.#measure(input.bytes.subarray(input.at, input.at + headBytes))
        if (there >= this.#total) {
          const packet = input.bytes.subarray(input.at, input.at + this.#total)
          input.at += this.#total
          return this.#open(packet)
        }
      }
      if (there === 0) return undefined
      this.#part = this.#memory(this.#total)
    }
    if (this.#total === 0) {
      if (!this.#fill(input, headBytes)) return undefined
      this.#total = this.#measure(this.#part.subarray(0, headBytes))
      if (this.#total > this.#part.length) {
        const larger = this.#memory(this.#total)
        larger.set(this.#part.subarray(0, this.#partBytes))
        this.#part = larger
      }
    }
    if (!this.#fill(input, this.#total)) return undefined
    const part = this.#part
    const payload = this.#open(part.subarray(0, this.#total))
    if (part.length === spareBytes && spares.length < maxSpares) spares.push(part)
    return payload
  }

  #measure(head: Buffer): number {
    return this.#opener.measure(this.sequence, head, this.maxBytes)
  }

  #open(packet: Buffer): Buffer {
    const payload = this.#opener.open(this.sequence, packet)
    this.sequence = (this.sequence + 1) >>> 0
    this.sinceKeys.packets++
    this.sinceKeys.bytes += packet.length
    this.#part = undefined
    this.#partBytes = 0
    this.#total = 0
    return payload
  }

  /** Whether the part has so many bytes now. */
  #fill(input: Input, bytes: number): boolean {
    const count = Math.min(bytes - this.#partBytes, input.bytes.length - input.at)
    this.#part?.set(input.bytes.subarray(input.at, input.at + count), this.#partBytes)
    input.at += count
    this.#partBytes += count
    return this.#partBytes === bytes
  }

  #memory(total: number): Buffer {
    if (total <= 4096) return Buffer.allocUnsafe(Math.max(total, lengthBytes * 8))
    return total <= spareBytes
      ? (spares.pop() ?? Buffer.allocUnsafeSlow(spareBytes))
      : Buffer.allocUnsafeSlow(total)
  }
}
