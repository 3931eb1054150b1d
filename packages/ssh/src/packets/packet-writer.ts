import type { Output, Sealer } from './packet.ts'
import { plainSealer } from './plain.ts'

/** Numbers and seals the packets of one direction. */
export class PacketWriter {
  /** Of the packet that is written next. */
  sequence = 0
  /** What was written with these keys. */
  readonly sinceKeys = { packets: 0, bytes: 0 }
  readonly #output: Output
  #sealer: Sealer = plainSealer

  constructor(output: Output) {
    this.#output = output
  }

  /** Takes effect with the next packet. */
  set sealer(sealer: Sealer) {
    this.#sealer = sealer
    this.sinceKeys.packets = this.sinceKeys.bytes = 0
  }

  write(parts: readonly Buffer[], bytes: number): void {
    this.#sealer.seal(this.sequence, parts, bytes, this.#output)
    this.sequence = (this.sequence + 1) >>> 0
    this.sinceKeys.packets++
    this.sinceKeys.bytes += bytes
  }
}
