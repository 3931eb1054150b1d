import type { Input } from '../packets/packet-reader.ts'
import { SshError } from '../wire/errors.ts'

/** RFC 4253, 4.2, with the line's end. */
const maxIdentBytes = 255
/** Of all lines a server may send before its version. */
const maxLinesBytes = 32 * 1024

const lf = 0x0a
const form = /^SSH-(2\.0|1\.99)-[\x20-\x7e]+$/

/** Reads the line that tells the peer's version of the protocol and of its software (RFC 4253, 4.2). */
export class IdentReader {
  /** Only a server may send other lines first. */
  readonly #areLinesAllowed: boolean
  #line = Buffer.alloc(0)
  #linesBytes = 0
  #isDone = false

  constructor(peerRole: 'client' | 'server') {
    this.#areLinesAllowed = peerRole === 'server'
  }

  /** Something came that is no version, and none came yet. */
  get hasOtherLines(): boolean {
    return this.#linesBytes > 0 && !this.#isDone
  }

  /** The version without the line's end; undefined when it is not there yet, then all of the input was taken. */
  next(input: Input): string | undefined {
    while (input.at < input.bytes.length) {
      const end = input.bytes.indexOf(lf, input.at)
      const piece = input.bytes.subarray(input.at, end === -1 ? undefined : end)
      this.#linesBytes += piece.length
      if (this.#linesBytes > (this.#areLinesAllowed ? maxLinesBytes : maxIdentBytes)) throw unknownVersion()
      this.#line = Buffer.concat([this.#line, piece])
      input.at += piece.length
      if (end === -1) return undefined
      input.at++
      const line = this.#line.toString('latin1').replace(/\r$/, '')
      this.#line = Buffer.alloc(0)
      if (line.startsWith('SSH-')) {
        if (line.length > maxIdentBytes || !form.test(line)) throw unknownVersion()
        this.#isDone = true
        return line
      }
      if (!this.#areLinesAllowed) throw unknownVersion()
    }
    return undefined
  }
}

function unknownVersion(): SshError {
  return new SshError('versionNotSupported', 'The peer does not speak SSH 2.0')
}
