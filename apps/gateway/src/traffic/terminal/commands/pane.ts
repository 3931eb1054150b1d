import type { ScreenText } from './screen-text.ts'

/** Between panes beside each other. */
const border = /^[│┃┆┇┊┋╎╏║├-╋╞-╬]$/u
/** Between panes above each other. */
const rule = /^[─-╿]+$/u

/** The part of the screen the cursor is in, where a program draws lines between such parts (tmux, screen), as it is now. */
export class Pane {
  readonly #text: ScreenText
  /** Its columns, from the first to the one behind the last. */
  readonly #begin: number
  readonly #end: number
  readonly #ownTexts = new Map<number, string>()

  constructor(text: ScreenText) {
    this.#text = text
    const { cursorColumn, columns } = text
    let begin = cursorColumn
    while (begin > 0 && !this.#endsAt(begin - 1)) begin--
    let end = cursorColumn
    while (end < columns && !this.#endsAt(end)) end++
    this.#begin = begin
    this.#end = end
  }

  /**
   * A row of it, and what stands left of it.
   * @returns undefined: the row ends the pane, or is the program's own
   */
  row(row: number): string | undefined {
    const { bottom } = this.#text
    const isStatus = row === bottom && this.#text.isColored(row)
    const text = this.#columns(row, 0)
    return isStatus || row > bottom || rule.test(text) ? undefined : text
  }

  /** What stands below the line that wraps through this row, without blanks, up to so many characters. */
  below(row: number, length: number): string {
    let text = ''
    for (let below = this.#text.logicalEnd(row) + 1; text.length < length; below++) {
      const own = this.#ownText(below)
      if (own === '') break
      text += own.replaceAll(/\s/g, '')
    }
    return text
  }

  /** The rows of it below the line that wraps through this row, as far as they hold something. */
  rowsBelow(row: number): string[] {
    const rows: string[] = []
    for (let below = this.#text.logicalEnd(row) + 1; this.#ownText(below) !== ''; below++)
      rows.push(this.#ownText(below))
    return rows
  }

  /** Without what stands beside it; nothing where the pane has ended. */
  #ownText(row: number): string {
    let text = this.#ownTexts.get(row)
    if (text === undefined) {
      const from = this.#isBorder(row, this.#begin - 1) ? this.#begin : 0
      text = this.row(row) === undefined ? '' : this.#columns(row, from)
      this.#ownTexts.set(row, text)
    }
    return text
  }

  #columns(row: number, from: number): string {
    return this.#text.textOfColumns(row, from, this.#isBorder(row, this.#end) ? this.#end : undefined)
  }

  /** The line beside it goes on above or below. */
  #endsAt(column: number): boolean {
    const { cursorRow: row } = this.#text
    const isBeside = () => this.#isBorder(row - 1, column) || this.#isBorder(row + 1, column)
    return this.#isBorder(row, column) && isBeside()
  }

  #isBorder(row: number, column: number): boolean {
    return border.test(this.#text.signAt(row, column))
  }
}
