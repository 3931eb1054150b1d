import type { Emulation, Emulator } from '../screen/emulation.ts'

const insert = 4
const origin = 6
const reverseWraparound = 45

/** What the emulator's own interface does not tell: the set of characters in use (undefined: ASCII), and the margins. */
interface Core {
  _charsetService: { glevel: number; charset?: unknown }
  buffer: { scrollTop: number; scrollBottom: number }
}
function coreOf(emulator: Emulator) {
  const { _core: core } = emulator as unknown as { _core: Core }
  const { _charsetService: characters, buffer } = core
  return { characters, buffer }
}

/** Rows in view, from 0 on: what is between them scrolls. */
export const marginsOf = (emulator: Emulator) => coreOf(emulator).buffer

/** What a program writes for the width it knew still comes for so long behind a window that changed. */
const widthWithinMs = 500

/**
 * Modes of a terminal in which an editor of lines, which knows nothing of them, shows another line than it has: characters are inserted
 * instead of written over, rows end elsewhere, letters are drawn as other signs. Output of one's own can switch them on. So does a window that
 * becomes wider or narrower in the middle of a line: what its editor wrote before it knew is laid out for another width.
 */
export class Distortion {
  readonly #emulator: Emulator
  #wasOn = false
  #widthChangedMs = -Infinity

  constructor({ emulator }: Pick<Emulation, 'emulator'>) {
    this.#emulator = emulator
    const { characters, buffer } = coreOf(emulator)
    if (typeof characters.glevel !== 'number' || typeof buffer.scrollBottom !== 'number')
      throw new Error('the emulator does not tell its set of characters and its margins any more')
    const switches = (modes: number[]) => (params: (number | number[])[]) => {
      if (modes.some((mode) => params.includes(mode))) this.#wasOn = true
      return false
    }
    emulator.parser.registerCsiHandler({ final: 'h' }, switches([insert]))
    emulator.parser.registerCsiHandler({ prefix: '?', final: 'h' }, switches([origin, reverseWraparound]))
  }

  /** From here on. */
  begin(): void {
    this.#wasOn = performance.now() - this.#widthChangedMs < widthWithinMs
  }

  /** The window has become wider or narrower. */
  widthChanged(): void {
    this.#wasOn = true
    this.#widthChangedMs = performance.now()
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
    const { modes, buffer, rows } = this.#emulator
    const { characters, buffer: shown } = coreOf(this.#emulator)
    const isOtherwise = modes.insertMode || modes.originMode || modes.reverseWraparoundMode
    if (isOtherwise || characters.charset !== undefined) return true
    if (!modes.wraparoundMode) return true
    // A program that shows a screen scrolls parts of it.
    if (buffer.active.type === 'alternate') return false
    return shown.scrollTop > 0 || shown.scrollBottom < rows - 1
  }
}
