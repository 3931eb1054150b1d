/** A parameter of a control sequence keeps so many digits: more than any window has lines or columns. */
const digitsMax = 4
/** Of an operating system command so much is kept: it would be gathered character by character, and some are taken apart again and again. */
const oscMaxBytes = 1024

/** `c1`: behind the first byte of a control character that is two in UTF-8. `swallowed`: in what is too long an OSC. */
type Place = 'text' | 'c1' | 'escape' | 'sequence' | 'osc' | 'swallowed'

const escape = 0x1b
const c1First = 0xc2
const cancel = 0x18
const substitute = 0x1a
const bell = 0x07
const erase = 0x7f
/** Behind Escape; as control characters of their own they are so much higher. */
const csi = 0x5b
const osc = 0x5d
const dcs = 0x50
const sos = 0x58
const c1Shift = 0x40

/**
 * Shortens what may be of any size in control functions (ECMA-48). Numbers in sequences (CSI): a count of two thousand million lines is as
 * legal as one of two, and an emulation would carry it out. Titles, colours, links (OSC): a longer one is cancelled. What is for a device
 * (DCS), which an emulation would gather, becomes a string that it passes over (SOS). Follows all over the borders of chunks.
 */
export class CountClamp {
  #place: Place = 'text'
  #digits = 0
  #oscBytes = 0
  /** The last byte of the OSC may begin a control character. */
  #isC1Begun = false

  /** The same bytes, or a copy, which is no longer. */
  clamp(bytes: Uint8Array): Uint8Array {
    let copy: Uint8Array | undefined
    let used = 0
    for (let at = 0; at < bytes.byteLength; at++) {
      const byte = bytes[at] ?? 0
      const kept = this.#kept(byte)
      if (kept !== byte) copy ??= Uint8Array.from(bytes)
      if (kept === undefined) continue
      if (copy) copy[used] = kept
      used++
    }
    return copy ? copy.subarray(0, used) : bytes
  }

  /** What goes on instead of the byte. */
  #kept(byte: number): number | undefined {
    if (this.#place === 'text') {
      if (byte === escape) this.#place = 'escape'
      else if (byte === c1First) this.#place = 'c1'
      return byte
    }
    if (byte === escape) this.#place = 'escape'
    else if (this.#place === 'osc' || this.#place === 'swallowed') return this.#inOsc(byte)
    else if (byte === c1First) this.#place = 'c1'
    else if (this.#place === 'c1') return this.#begin(byte, c1Shift)
    else if (byte === cancel || byte === substitute || byte >= 0x80) this.#place = 'text'
    // other control characters are carried out in the middle of a sequence, which goes on
    else if (byte < 0x20 || byte === erase) return byte
    else if (this.#place === 'escape') return this.#begin(byte, 0)
    else return this.#inSequence(byte)
    return byte
  }

  #begin(byte: number, shift: number): number {
    const introducer = byte - shift
    this.#place = introducer === csi ? 'sequence' : introducer === osc ? 'osc' : 'text'
    this.#digits = 0
    this.#oscBytes = 0
    this.#isC1Begun = false
    return introducer === dcs ? sos + shift : byte
  }

  #inOsc(byte: number): number | undefined {
    const isSwallowed = this.#place === 'swallowed'
    if (this.#isC1Begun && byte >= 0x80 && byte < 0xa0) return this.#begin(byte, c1Shift)
    // It goes on in any case: alone it is nothing.
    this.#isC1Begun = byte === c1First
    if (this.#isC1Begun) return byte
    if (byte === bell || byte === cancel || byte === substitute) this.#place = 'text'
    else if (!isSwallowed && ++this.#oscBytes > oscMaxBytes) {
      this.#place = 'swallowed'
      return cancel
    }
    return isSwallowed ? undefined : byte
  }

  #inSequence(byte: number): number | undefined {
    if (byte >= 0x30 && byte <= 0x39) {
      if (byte !== 0x30 || this.#digits > 0) this.#digits++
      return this.#digits <= digitsMax ? byte : undefined
    }
    this.#digits = 0
    if (byte >= 0x40 && byte < erase) this.#place = 'text'
    return byte
  }
}
