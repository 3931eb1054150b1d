/** Writes the types of RFC 4251, 5 one after the other, into memory that grows as needed. */
export class Writer {
  #bytes: Buffer
  #length = 0

  /** `size`: of what will be written, as far as it is known. */
  constructor(size = 256) {
    this.#bytes = Buffer.allocUnsafe(size)
  }

  byte(value: number): this {
    const at = this.#reserve(1)
    this.#bytes[at] = value
    return this
  }

  boolean(value: boolean): this {
    return this.byte(value ? 1 : 0)
  }

  uint32(value: number): this {
    const at = this.#reserve(4)
    this.#bytes.writeUInt32BE(value, at)
    return this
  }

  uint64(value: bigint): this {
    const at = this.#reserve(8)
    this.#bytes.writeBigUInt64BE(value, at)
    return this
  }

  /** As they are, without a length. */
  bytes(value: Uint8Array): this {
    const at = this.#reserve(value.length)
    this.#bytes.set(value, at)
    return this
  }

  /** Text is written as UTF-8. */
  string(value: Uint8Array | string): this {
    if (typeof value !== 'string') return this.uint32(value.length).bytes(value)
    const length = Buffer.byteLength(value)
    this.uint32(length)
    const at = this.#reserve(length)
    this.#bytes.write(value, at)
    return this
  }

  nameList(names: readonly string[]): this {
    return this.string(names.join(','))
  }

  /** A number that is not negative, from its big-endian bytes. */
  mpint(value: Uint8Array): this {
    let from = 0
    while (from < value.length && value[from] === 0) from++
    const digits = value.subarray(from)
    const isSignNeeded = (digits[0] ?? 0) >= 0x80
    this.uint32(digits.length + (isSignNeeded ? 1 : 0))
    return isSignNeeded ? this.byte(0).bytes(digits) : this.bytes(digits)
  }

  /** What was written. The writer must not be used afterwards. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(count: number): number {
    const from = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, from))
      this.#bytes = larger
    }
    return from
  }
}
