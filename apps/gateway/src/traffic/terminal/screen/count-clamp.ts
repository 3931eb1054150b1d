/** A parameter of a control sequence keeps so many digits: more than any window has lines or columns. */
const digitsMax = 4

/** `c1`: behind the first byte of a CSI as one character in UTF-8. */
type Place = 'text' | 'c1' | 'escape' | 'sequence'

const escape = 0x1b
const c1First = 0xc2
const c1Csi = 0x9b
const cancel = 0x18
const substitute = 0x1a

/**
 * Shortens numbers in control sequences (ECMA-48 CSI): a count of two thousand million lines is as legal as one of two, and an emulation
 * would carry it out. Follows sequences over the borders of chunks.
 */
export class CountClamp {
  #place: Place = 'text'
  #digits = 0

  /** The same bytes, or a shorter copy. */
  clamp(bytes: Uint8Array): Uint8Array {
    let copy: Uint8Array | undefined
    let used = 0
    for (let at = 0; at < bytes.byteLength; at++) {
      const byte = bytes[at] ?? 0
      if (this.#isKept(byte)) {
        if (copy) copy[used] = byte
        used++
      } else copy ??= Uint8Array.from(bytes)
    }
    return copy ? copy.subarray(0, used) : bytes
  }

  #isKept(byte: number): boolean {
    if (this.#place === 'text') {
      if (byte === escape) this.#place = 'escape'
      else if (byte === c1First) this.#place = 'c1'
      return true
    }
    if (byte === escape) this.#place = 'escape'
    else if (byte === c1First) this.#place = 'c1'
    else if (this.#place === 'c1') this.#begin(byte === c1Csi)
    else if (byte === cancel || byte === substitute || byte >= 0x80) this.#place = 'text'
    // other control characters are carried out in the middle of a sequence, which goes on
    else if (byte < 0x20) return true
    else if (this.#place === 'escape') this.#begin(byte === 0x5b)
    else return this.#inSequence(byte)
    return true
  }

  #begin(isSequence: boolean): void {
    this.#place = isSequence ? 'sequence' : 'text'
    this.#digits = 0
  }

  #inSequence(byte: number): boolean {
    if (byte >= 0x30 && byte <= 0x39) {
      if (byte !== 0x30 || this.#digits > 0) this.#digits++
      return this.#digits <= digitsMax
    }
    this.#digits = 0
    if (byte >= 0x40 && byte < 0x7f) this.#place = 'text'
    return true
  }
}
