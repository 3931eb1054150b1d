import type { Emulator, Marker } from '../screen/emulation.ts'
import { marginsOf } from './distortion.ts'

const wrappedRowsMax = 200
/** What ksh ends a row with that shows a part of a line; readline and zsh do with the second. */
const cutOffEnd = /[<>*+]$/

export const withoutBlanks = (text: string): string => text.replaceAll(/\s/g, '')

/** The emulator's buffer as lines of text. Rows count from the oldest line that is kept. */
export class ScreenText {
  readonly #emulator: Emulator
  #rowsInView: readonly string[] | undefined

  constructor(emulator: Emulator) {
    this.#emulator = emulator
    this.onChange(() => (this.#rowsInView = undefined))
  }

  /** Read once between two pieces of output. */
  get rowsInView(): readonly string[] {
    const row = (_none: unknown, at: number) => this.#rowText(this.top + at, true).trimEnd()
    return (this.#rowsInView ??= Array.from({ length: this.rows }, row))
  }

  /** Called when there may be something else on the screen. */
  onChange(changed: () => void): void {
    this.#emulator.onWriteParsed(changed)
    this.#emulator.onResize(changed)
  }

  /** Called when the screen has become wider or narrower. */
  onWidth(changed: () => void): void {
    let { cols } = this.#emulator
    this.#emulator.onResize((size) => {
      if (size.cols !== cols) changed()
      cols = size.cols
    })
  }

  /** Called when rows may have left the screen, or a part of it that scrolls, with the first row of that. */
  onScroll(scrolled: (fromRow: number) => void): void {
    const tell = () => scrolled(this.top + marginsOf(this.#emulator).scrollTop)
    this.#emulator.onScroll(tell)
    for (const final of ['S', 'M'])
      this.#emulator.parser.registerCsiHandler({ final }, () => {
        tell()
        return false
      })
  }

  get #buffer(): Emulator['buffer']['active'] {
    return this.#emulator.buffer.active
  }

  get isAlternate(): boolean {
    return this.#buffer.type === 'alternate'
  }

  /** The program reads a line with an editor of its own. */
  get isPasteMode(): boolean {
    return this.#emulator.modes.bracketedPasteMode
  }

  get cursorRow(): number {
    return this.#buffer.baseY + this.#buffer.cursorY
  }

  /** The program asked for the keys of a keypad: it shows a screen, not lines. */
  get hasKeypad(): boolean {
    return this.#emulator.modes.applicationCursorKeysMode
  }

  /** Whether the row begins, or what stands there, in the colours turned round. */
  isInverse(row: number, column = 0): boolean {
    return this.#buffer.getLine(row)?.getCell(column)?.isInverse() === 1
  }

  get bottom(): number {
    return this.#buffer.baseY + this.#emulator.rows - 1
  }

  get cursorColumn(): number {
    return this.#buffer.cursorX
  }

  get columns(): number {
    return this.#emulator.cols
  }

  get rows(): number {
    return this.#emulator.rows
  }

  /** The first row that is in view. */
  get top(): number {
    return this.#buffer.baseY
  }

  /** The last row with anything on it, the cursor's at least. */
  get lastRow(): number {
    let row = this.#buffer.baseY + this.#emulator.rows - 1
    while (row > this.cursorRow && this.#rowText(row, true) === '') row--
    return row
  }

  /** Follows that row through scrolling; undefined in the alternate screen. */
  mark(row: number): Marker | undefined {
    return this.#emulator.registerMarker(row - this.cursorRow)
  }

  /** The first row of the line that wraps through this row. */
  logicalStart(row: number): number {
    let start = row
    while (start > 0 && row - start < wrappedRowsMax && this.#buffer.getLine(start)?.isWrapped) start--
    return start
  }

  /** The same of a line somebody edits, see `lineOfRows`. */
  editStart(row: number): number {
    let start = row
    while (start > 0 && row - start < wrappedRowsMax && this.#goesOn(start - 1)) start--
    return start
  }

  /** The last one. */
  logicalEnd(row: number): number {
    const start = this.logicalStart(row)
    let end = row
    while (end - start < wrappedRowsMax && this.#buffer.getLine(end + 1)?.isWrapped) end++
    return end
  }

  /** See `lineOfRows`. */
  get linesInView(): string {
    return this.lineOfRows(this.top, this.lastRow)
  }

  /** The whole line that this row is part of. */
  logicalText(row: number): string {
    return this.textOfRows(this.logicalStart(row), this.logicalEnd(row))
  }

  /** A line is taken where it ends, or on the row below. */
  rowEndedAt(row: number): number {
    return this.logicalText(row).trimEnd() === '' ? row - 1 : row
  }

  /** `to`: the column behind the last; left out: to the end of the row. */
  textOfColumns(row: number, from: number, to: number | undefined): string {
    return this.#buffer.getLine(row)?.translateToString(false, from, to).trimEnd() ?? ''
  }

  signAt(row: number, column: number): string {
    return this.#buffer.getLine(row)?.getCell(column)?.getChars() ?? ''
  }

  /** The same on a ground of its own. */
  isColored(row: number, column = 0): boolean {
    const isOnGround = this.#buffer.getLine(row)?.getCell(column)?.isBgDefault() === false
    return isOnGround || this.isInverse(row, column)
  }

  /** From the beginning of `start` to the cursor. */
  textUpToCursor(start: number): string {
    let text = ''
    for (let row = start; row < this.cursorRow; row++) text += this.#rowText(row, false)
    const line = this.#buffer.getLine(this.cursorRow)
    return text + (line?.translateToString(false, 0, this.#buffer.cursorX) ?? '')
  }

  /** Wrapped rows joined, others on lines of their own. */
  textOfRows(from: number, to: number): string {
    return this.#joined(from, to, (row) => this.#isWrapped(row))
  }

  /**
   * The same of a line somebody edits, where rows that are full go on in the next one: an editor that moves down through its own line has
   * the terminal forget that it was wrapped.
   */
  lineOfRows(from: number, to: number): string {
    return this.#joined(from, to, (row) => this.#goesOn(row))
  }

  #joined(from: number, to: number, goesOn: (row: number) => boolean): string {
    let text = ''
    for (let row = Math.max(0, from); row <= to; row++) {
      const isJoined = row < to && goesOn(row)
      text += this.#rowText(row, !isJoined)
      if (row < to && !isJoined) text += '\n'
    }
    return text
  }

  #goesOn(row: number): boolean {
    return this.#isWrapped(row) || this.#isFull(row)
  }

  /** Into the next row. */
  #isWrapped(row: number): boolean {
    return this.#buffer.getLine(row + 1)?.isWrapped === true
  }

  /** Up to its last column, or but for one that the wide character at the beginning of the next row has no room in. */
  #isFull(row: number): boolean {
    const last = this.#emulator.cols - 1
    const isNextWide =
      this.#buffer
        .getLine(row + 1)
        ?.getCell(0)
        ?.getWidth() === 2
    return this.#isWritten(row, last) || (isNextWide && this.#isWritten(row, last - 1))
  }

  /** A blank is, too; the second half of a wide character has none of its own. */
  #isWritten(row: number, column: number): boolean {
    const cell = this.#buffer.getLine(row)?.getCell(column)
    return cell !== undefined && (cell.getChars() !== '' || cell.getWidth() === 0)
  }

  /**
   * Whether these rows show a line in part: on a terminal that cannot move up, and where they are told to, shells do not wrap a line but scroll
   * it sideways, with marks where it goes on. `prompt`: what the line stands behind; readline writes its mark over it.
   */
  isCutOff(from: number, to: number, prompt: string): boolean {
    const isPromptless = prompt.trimEnd().length <= 1
    for (let row = from; row <= to; row++) {
      if (this.#isWrapped(row - 1) || this.#isWrapped(row)) continue
      const text = this.#rowText(row, true)
      if (text.startsWith('<') && (row > from || isPromptless)) return true
      if (this.#columnsOf(row) >= this.#emulator.cols - 2 && cutOffEnd.test(text)) return true
    }
    return false
  }

  /** Whether parts of a text fill the screen up to that row, its end among them: what is taller is not written whole. */
  isFilledWith(text: string, endRow: number): boolean {
    const whole = withoutBlanks(text)
    const last = withoutBlanks(this.#rowText(endRow, true))
    if (endRow - this.top < this.rows - 3 || last === '' || !whole.endsWith(last)) return false
    for (let row = this.top + 1; row < endRow; row++)
      if (!whole.includes(withoutBlanks(this.#rowText(row, true)))) return false
    return true
  }

  /** The beginning of all that is kept. */
  head(length: number): string {
    return this.textOfRows(0, Math.min(this.cursorRow, length)).trimEnd().slice(0, length)
  }

  /** Up to the last character. */
  #columnsOf(row: number): number {
    const line = this.#buffer.getLine(row)
    let columns = this.#emulator.cols
    while (columns > 0 && (line?.getCell(columns - 1)?.getChars() ?? '').trim() === '') columns--
    return columns
  }

  #rowText(row: number, isTrimmed: boolean): string {
    return this.#buffer.getLine(row)?.translateToString(isTrimmed) ?? ''
  }
}
