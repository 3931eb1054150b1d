import { type ScreenText, withoutBlanks } from './screen-text.ts'

/** What stood on the screen when somebody interrupted: whether a prompt that stands there now came since, or is a part of the line that stayed. */
export class Stood {
  readonly #text: ScreenText
  readonly #columns: number
  readonly #rows: readonly string[]
  /** Where the cursor was among them, and what was before it. */
  readonly #at: number
  readonly #before: string

  constructor(text: ScreenText) {
    this.#text = text
    this.#columns = text.columns
    this.#rows = text.rowsInView
    this.#at = text.cursorRow - text.top
    this.#before = text.textUpToCursor(text.cursorRow).trimEnd()
  }

  /** `prompt`: what stands before the cursor now, without what was typed since. */
  isBefore(prompt: string): boolean {
    const now = this.#text.rowsInView
    // In a window of another width lines stand otherwise.
    if (now === this.#rows || this.#text.columns !== this.#columns) return false
    return timesIn(now, prompt) > timesIn(this.#rows, prompt) || this.#isAbove(now)
  }

  /** It stands above the cursor, or what was before the interrupt does, which is shown there as `^C`. */
  #isAbove(now: readonly string[]): boolean {
    const { top, cursorRow } = this.#text
    const line = this.#text.logicalStart(cursorRow) - top
    const gap = this.#rows.indexOf('', this.#at + 1)
    const end = gap < 0 ? this.#rows.length : gap
    const own = this.#rows[this.#at] ?? ''
    // So many rows have left the screen since.
    for (let gone = 0; gone <= this.#at; gone++) {
      const at = this.#at - gone
      const isSame = (row: string, index: number) => row === now[index]
      const isThere = this.#rows.slice(gone, this.#at).every(isSame) && now[at]?.startsWith(this.#before)
      if (!isThere) continue
      const isInterrupted = this.#isInterrupted(now[at] ?? '') && !this.#isInterrupted(own)
      const isWhole = this.#rows.slice(gone, end).every(isSame)
      return line > (isInterrupted ? at : isWhole ? end - 1 - gone : cursorRow)
    }
    return false
  }

  #isInterrupted(row: string): boolean {
    return row.slice(this.#before.length).trimStart().startsWith('^C')
  }
}

/** So many rows begin like that, wrapped or not. */
function timesIn(rows: readonly string[], prompt: string): number {
  const own = withoutBlanks(prompt)
  const texts = rows.map(withoutBlanks)
  const all = texts.join('')
  let at = 0
  return texts.filter((text) => {
    at += text.length
    return text !== '' && all.startsWith(own, at - text.length)
  }).length
}
