import { type ScreenText, withoutBlanks } from './screen-text.ts'

/** Between panes beside each other. */
const border = /^[│┃┆┇┊┋╎╏║├-╋╞-╬]$/u
/** The same, and those of letters (tmux: `simple`, `number`), where they are not looked at from end to end. */
const borderNear = /^[|\d│┃┆┇┊┋╎╏║├-╋╞-╬]$/u
/** The same where the line goes on to its side. */
const junction = /^[├-╋╞-╬]$/u
/** Of a window that is smaller than the screen. */
const corner = /^[┌-┛╭-╰]$/u
/** Between panes above each other, perhaps with a title in it. */
const rule = /^[─-╿]{2}(?:.*[─-╿]{2})?$/u
/** Of vi, on its last row. */
const modeLine = /^-- .+ --/
/** What multiplexers say on rows of their own, at the top or the bottom. */
const statusRows = 2

/** The part of the screen the cursor is in, where a program draws lines between such parts (tmux, screen), as it is now. */
export class Pane {
  readonly #text: ScreenText
  /** Its columns, from the first to the one behind the last. */
  readonly #begin: number
  readonly #end: number
  readonly #rows = new Map<number, string>()

  /** `edges`: lines from end to end, the next sign of one in the row of the cursor, or the screen's alone. */
  constructor(text: ScreenText, edges: 'whole' | 'near' | 'none' = 'whole') {
    this.#text = text
    const { cursorColumn, cursorRow, columns } = text
    const isEdge = (column: number) =>
      edges === 'whole'
        ? this.#isEdge(column)
        : edges === 'near' && borderNear.test(text.signAt(cursorRow, column))
    let begin = cursorColumn
    while (begin > 0 && !isEdge(begin - 1)) begin--
    let end = cursorColumn
    while (end < columns && !isEdge(end)) end++
    this.#begin = begin
    this.#end = end
  }

  /** It takes whole rows. */
  get isWide(): boolean {
    return this.#begin === 0 && this.endsScreen
  }

  get endsScreen(): boolean {
    return this.#end === this.#text.columns
  }

  get width(): number {
    return this.#end - this.#begin
  }

  /** It has other columns. */
  isBeside(other: Pane): boolean {
    return this.#begin !== other.#begin || this.#end !== other.#end
  }

  overlaps(other: Pane): boolean {
    return this.#begin < other.#end && other.#begin < this.#end
  }

  /** As they are now, whatever has been drawn since. */
  columnsNow(row: number): string {
    return this.#text.textOfColumns(row, this.#begin, this.endsScreen ? undefined : this.#end)
  }

  /** What stands in its columns, whatever they belong to. */
  columns(row: number): string {
    let text = this.#rows.get(row)
    if (text === undefined) {
      text = this.columnsNow(row)
      this.#rows.set(row, text)
    }
    return text
  }

  /** What stands next above, and how far: blank rows are nothing to know a line by. Nothing: there is none in view. */
  above(row: number): string {
    for (let up = row - 1; up >= this.#text.top; up--) {
      const text = this.columns(up).trimEnd()
      if (text !== '') return `${row - up} ${text}`
    }
    return ''
  }

  /** @returns undefined: the row ends the pane, or is the program's own */
  row(row: number): string | undefined {
    const { bottom } = this.#text
    const isStatus = row === bottom && this.#text.isColored(row)
    const text = row < 0 || row > bottom ? undefined : this.columns(row)
    return isStatus || text === undefined || rule.test(text) ? undefined : text
  }

  /** In the row of the cursor, up to it. */
  get upToCursor(): string {
    const { cursorRow, cursorColumn } = this.#text
    const text = this.#text.textOfColumns(cursorRow, this.#begin, cursorColumn)
    return text.padEnd(cursorColumn - this.#begin)
  }

  /** Written up to its last column: what stands there may go on below. */
  isFull(row: number): boolean {
    return this.#text.signAt(row, this.#end - 1).trim() !== ''
  }

  /** What stands there, and goes on below, is on the last row: there programs ask for commands. */
  isLast(row: number): boolean {
    let last = row
    while (this.isFull(last) && this.row(last + 1)) last++
    return last >= this.#text.bottom - statusRows || this.row(last + 1) === undefined
  }

  /** Rows up from this one, as far as what stands in one may go on in the next. */
  rowsUp(row: number): number[] {
    const rows = [row]
    for (let above = row - 1; above >= this.#text.top && this.isFull(above); above--) rows.push(above)
    return rows
  }

  /** These rows as a line of an editor that writes on where a row is full. */
  lineOf(from: number, to: number): string {
    let text = this.columns(from)
    for (let row = from + 1; row <= to; row++) text += (this.isFull(row - 1) ? '' : '\n') + this.columns(row)
    return text
  }

  /** What stands below the line that wraps through this row, without blanks, up to so many characters. */
  below(row: number, length: number): string {
    let text = ''
    for (let below = this.#text.logicalEnd(row) + 1; text.length < length && this.row(below); below++)
      text += withoutBlanks(this.columns(below))
    return text
  }

  /** The rows of it below the line that wraps through this row, as far as they hold something. */
  rowsBelow(row: number): string[] {
    const rows: string[] = []
    for (let below = this.#text.logicalEnd(row) + 1; this.row(below); below++) rows.push(this.columns(below))
    return rows
  }

  /** An editor says on the last rows which mode it is in. */
  get isInMode(): boolean {
    const { bottom } = this.#text
    return [bottom, bottom - 1].some((row) => modeLine.test(this.columns(row)))
  }

  /**
   * Something stands below the cursor, where a shell that asks for a line leaves nothing: an editor or the like has painted all of it. What
   * may be a multiplexer's own says nothing.
   */
  get isPainted(): boolean {
    const { cursorRow, bottom } = this.#text
    if (this.isInMode) return true
    for (let row = cursorRow + 1; row <= bottom - statusRows; row++) {
      const text = this.#text.isColored(row, this.#begin) ? undefined : this.row(row)
      if (text !== '') return text !== undefined
    }
    return false
  }

  /** A line from one end of the screen, or from another line, to the next. */
  #isEdge(column: number): boolean {
    const { cursorRow, top, bottom } = this.#text
    const isBorder = (row: number) => border.test(this.#text.signAt(row, column))
    if (!isBorder(cursorRow)) return false
    let first = cursorRow
    while (first > top && isBorder(first - 1)) first--
    let last = cursorRow
    while (last < bottom && isBorder(last + 1)) last++
    const isEnd = (row: number, end: number, next: number) =>
      Math.abs(end - row) <= statusRows ||
      junction.test(this.#text.signAt(row, column)) ||
      corner.test(this.#text.signAt(next, column))
    return last > first && isEnd(first, top, first - 1) && isEnd(last, bottom, last + 1)
  }
}
