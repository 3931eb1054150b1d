/** Modes that must not be lost with left out output: the alternate screen (three spellings), bracketed paste. */
const followed = new Set(['47', '1047', '1048', '1049', '2004'])
const introducer = Buffer.from('\x1b[?')
/** A mode sequence is not longer than this. */
const carryBytes = 16
/** Only so many of the last sequences in a piece are looked at: output may consist of nothing else. */
const lookedAtMax = 64

/** Finds out which modes were switched in output that nobody parses. */
export class ModeScanner {
  readonly #modes = new Map<string, 'h' | 'l'>()
  #carry = Buffer.alloc(0)

  scan(bytes: Buffer): void {
    if (this.#carry.byteLength > 0) {
      this.#find(Buffer.concat([this.#carry, bytes.subarray(0, carryBytes)]))
    }
    this.#find(bytes)
    this.#carry = Buffer.from(bytes.subarray(-carryBytes))
  }

  #find(bytes: Buffer): void {
    const found: number[] = []
    let at = bytes.lastIndexOf(introducer)
    while (at >= 0 && found.length < lookedAtMax) {
      found.push(at)
      at = at === 0 ? -1 : bytes.lastIndexOf(introducer, at - 1)
    }
    for (const at of found.toReversed()) {
      const match = /^([\d;]+)([hl])/.exec(bytes.toString('latin1', at + 3, at + 3 + carryBytes))
      const state = match?.[2] === 'h' ? 'h' : 'l'
      for (const mode of match?.[1]?.split(';') ?? []) {
        if (!followed.has(mode)) continue
        this.#modes.delete(mode)
        this.#modes.set(mode, state)
      }
    }
  }

  /** Ends what may have been cut off, begins a new line and switches the modes found. */
  sequence(): Buffer {
    const switches = [...this.#modes].map(([mode, state]) => `\x1b[?${mode}${state}`).join('')
    return Buffer.from(`\x18\x1b[0m\r\n${switches}`)
  }
}
