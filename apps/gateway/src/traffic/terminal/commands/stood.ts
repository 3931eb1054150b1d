import { type ScreenText, withoutBlanks } from './screen-text.ts'

/** What stood on the screen when somebody interrupted: whether a prompt that stands there now came since, or is a part of the line that stayed. */
export class Stood {
  readonly #text: ScreenText
  readonly #columns: number
  /** Down to the end of what is below the cursor without a gap. */
  readonly #rows: string[]
  /** Where the cursor was among them, and what was before it. */
  readonly #at: number
  readonly #before: string

  constructor(text: ScreenText) {
    this.#text = text
    this.#columns = text.columns
    const { top, bottom, cursorRow } = text
    const last = text.isColored(bottom) ? bottom - 1 : bottom
    let end = cursorRow
    while (end < last && rowOf(text, end + 1) !== '') end++
    this.#rows = Array.from({ length: end - top + 1 }, (_none, at) => rowOf(text, top + at))
    this.#at = cursorRow - top
    this.#before = text.textUpToCursor(cursorRow).trimEnd()
  }

  /** `prompt`: what stands before the cursor now, without what was typed since. */
  isBefore(prompt: string): boolean {
    // In a window of another width lines stand otherwise.
    return this.#text.columns === this.#columns && (!this.#holds(withoutBlanks(prompt)) || this.#isAbove)
  }

  /** A row began like that, wrapped or not. */
  #holds(prompt: string): boolean {
    const rows = this.#rows.map(withoutBlanks)
    const all = rows.join('')
    let at = 0
    return rows.some((row) => {
      const begins = all.startsWith(prompt, at)
      at += row.length
      return begins
    })
  }

  /** It stands above the cursor, or what was before the interrupt does, which is shown there as `^C`. */
  get #isAbove(): boolean {
    const { top, cursorRow } = this.#text
    const line = this.#text.logicalStart(cursorRow) - top
    const now = Array.from({ length: cursorRow - top + 1 }, (_none, at) => rowOf(this.#text, top + at))
    const own = this.#rows[this.#at] ?? ''
    // So many rows have left the screen since.
    for (let gone = 0; gone <= this.#at; gone++) {
      const at = this.#at - gone
      const isSame = (row: string, index: number) => row === now[index]
      const isThere = this.#rows.slice(gone, this.#at).every(isSame) && now[at]?.startsWith(this.#before)
      if (!isThere) continue
      const isInterrupted = this.#isInterrupted(now[at] ?? '') && !this.#isInterrupted(own)
      const isWhole = this.#rows.slice(gone).every(isSame)
      return line > (isInterrupted ? at : isWhole ? this.#rows.length - 1 - gone : cursorRow)
    }
    return false
  }

  #isInterrupted(row: string): boolean {
    return row.slice(this.#before.length).trimStart().startsWith('^C')
  }
}

const rowOf = (text: ScreenText, row: number) => text.textOfColumns(row, 0, undefined)
