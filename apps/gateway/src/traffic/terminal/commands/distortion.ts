import type { Emulation } from '../screen/emulation.ts'

const insert = 4
const origin = 6
const reverseWraparound = 45
/** Designate a set as the first one (ISO 2022): ASCII, and those the emulator has besides, of line drawing and of countries. */
const ascii = 'B'
const otherSets = Array.from('0A4C5RQKYE6ZH7=')

/**
 * Modes of a terminal in which an editor of lines, which knows nothing of them, shows another line than it has: characters are inserted
 * instead of written over, rows end elsewhere, letters are drawn as other signs. Output of one's own can switch them on.
 */
export class Distortion {
  readonly #emulation: Emulation
  #hasMargins = false
  #isOtherSet = false
  #wasOn = false

  constructor(emulation: Emulation) {
    this.#emulation = emulation
    const { emulator } = emulation
    const { parser } = emulator
    const switches = (modes: number[]) => (params: (number | number[])[]) => {
      if (modes.some((mode) => params.includes(mode))) this.#wasOn = true
      return false
    }
    parser.registerCsiHandler({ final: 'h' }, switches([insert]))
    parser.registerCsiHandler({ prefix: '?', final: 'h' }, switches([origin, reverseWraparound]))
    parser.registerCsiHandler({ final: 'r' }, (params) => this.#onMargins(params))
    parser.registerEscHandler({ final: 'c' }, () => this.#onReset())
    parser.registerCsiHandler({ intermediates: '!', final: 'p' }, () => this.#onReset())
    parser.registerEscHandler({ intermediates: '(', final: ascii }, () => this.#onSet(false))
    for (const final of otherSets)
      parser.registerEscHandler({ intermediates: '(', final }, () => this.#onSet(true))
    // Other sets stay in the place of the first (LS2, LS3).
    for (const final of ['n', 'o']) parser.registerEscHandler({ final }, () => this.#onSet(true))
    emulator.onResize(() => (this.#hasMargins = false))
  }

  /** From here on. */
  begin(): void {
    this.#wasOn = false
  }

  /** Keys came, or the line is looked at. */
  note(): void {
    this.#wasOn ||= this.#isOn
  }

  /** One of the modes is on, or was since. */
  get isThere(): boolean {
    return this.#wasOn || this.#isOn
  }

  get #isOn(): boolean {
    const { emulator, isShiftedOut } = this.#emulation
    const { insertMode, originMode, reverseWraparoundMode, wraparoundMode } = emulator.modes
    const isMoved = originMode || reverseWraparoundMode || !wraparoundMode || this.#hasMargins
    return insertMode || isMoved || this.#isOtherSet || isShiftedOut
  }

  #onMargins([first, second]: (number | number[])[]): boolean {
    const { buffer, rows } = this.#emulation.emulator
    if (buffer.active.type === 'alternate') return false
    this.#hasMargins = (Number(first) || 1) > 1 || (Number(second) || rows) < rows
    this.#wasOn ||= this.#hasMargins
    return false
  }

  #onSet(isOther: boolean): boolean {
    this.#isOtherSet = isOther
    this.#wasOn ||= isOther
    return false
  }

  #onReset(): boolean {
    this.#hasMargins = false
    this.#isOtherSet = false
    return false
  }
}
