import { MalformedError } from './errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Of one name list; more than all lists anybody sends. */
const maxListChars = 16_384
/** RFC 4251, 6: printable ASCII without commas; the bound is ours, some extensions exceed 64. */
const nameForm = /^[\x21-\x2b\x2d-\x7e]{1,128}$/
/** RFC 8017 keys of 16,384 bits and a sign. */
const maxMpintBytes = 2049

/**
 * Reads the types of RFC 4251, 5 from bytes of a peer, one after the other. Buffers it returns are views into those bytes: who keeps one
 * copies it. Throws `MalformedError` where the bytes end too early or have a form that is not allowed.
 */
export class Reader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, from = 0) {
    this.#bytes = bytes
    this.#at = from
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.#bytes.length - this.#at
  }

  byte(): number {
    return this.#bytes[this.#skip(1)] ?? 0
  }

  /** Anything but 0 is true. */
  boolean(): boolean {
    return this.byte() !== 0
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#skip(4))
  }

  uint64(): bigint {
    return this.#bytes.readBigUInt64BE(this.#skip(8))
  }

  /** So many bytes without a length before them. */
  bytes(count: number): Buffer {
    const from = this.#skip(count)
    return this.#bytes.subarray(from, from + count)
  }

  /** A string of bytes, at most so many. */
  string(maxBytes: number): Buffer {
    const length = this.uint32()
    if (length > maxBytes) throw new MalformedError('A string is too long')
    return this.bytes(length)
  }

  /** What is within a string, of at most so many bytes. */
  nested(maxBytes: number): Reader {
    return new Reader(this.string(maxBytes))
  }

  /** A string of UTF-8, of at most so many bytes. */
  text(maxBytes: number): string {
    const bytes = this.string(maxBytes)
    try {
      return utf8.decode(bytes)
    } catch {
      throw new MalformedError('A text is not UTF-8')
    }
  }

  /** The name of an algorithm, a method, a request. */
  name(): string {
    const name = this.string(128).toString('latin1')
    if (!nameForm.test(name)) throw new MalformedError('A name has characters that are not allowed')
    return name
  }

  nameList(): string[] {
    const list = this.string(maxListChars).toString('latin1')
    if (list === '') return []
    // libssh 0.10 ends its list of ciphers with a comma.
    const names = list.replace(/,$/, '').split(',')
    if (!names.every((name) => nameForm.test(name)))
      throw new MalformedError('A name has characters that are not allowed')
    return names
  }

  /** A number that is not negative, big-endian without the leading zero of its sign; empty for 0. */
  mpint(maxBytes = maxMpintBytes): Buffer {
    const bytes = this.string(maxBytes)
    const [first = 0, second = 0] = bytes
    if (first >= 0x80) throw new MalformedError('A number is negative')
    if (bytes.length > 0 && first === 0 && second < 0x80)
      throw new MalformedError('A number has needless zeros before it')
    return first === 0 ? bytes.subarray(1) : bytes
  }

  /** All that is left. */
  rest(): Buffer {
    return this.bytes(this.left)
  }

  /** @throws when anything is left */
  end(): void {
    if (this.left > 0) throw new MalformedError('There is more than there should be')
  }

  #skip(count: number): number {
    if (count > this.left) throw new MalformedError('The bytes end too early')
    const from = this.#at
    this.#at += count
    return from
  }
}
