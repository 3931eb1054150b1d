import { Pane } from './pane.ts'
import { historySearch, pagerPrompt } from './prompts.ts'
import { type ScreenText, withoutBlanks } from './screen-text.ts'
import { typedMax } from './typed.ts'

/** What was entered may stand behind a prompt in this row. */
interface Place {
  behind: string
  /** That row and those below it in its pane, without blanks; nothing where the row does not begin with the prompt. */
  over: string
}

/** What a shell was given. */
export interface Given {
  readonly prompt: string
  /** What stood behind the prompt then. */
  readonly shown: string
}

/** A line that was entered is looked for in so many rows above the cursor. */
const rowsMax = 60
/** So many prompts are looked for: a person has a few. */
const promptsMax = 20

/** A command of a program begins in one of so many rows. */
const escapesMax = 20

/** What a screen shows between two pieces of output: however much is entered meanwhile, each row is read once. */
export class Moment {
  readonly #text: ScreenText
  readonly #lines = new Map<number, string>()
  readonly #cutOff = new Map<string, boolean>()
  readonly #standing = { whole: new Map<string, string>(), edited: new Map<string, string>() }
  readonly #places = new Map<string, readonly Place[]>()
  readonly #shows = new WeakMap<Given, boolean>()
  #upToCursor: string | undefined
  #prompt: string | undefined
  #pane: Pane | undefined
  #wrapped: readonly string[] | undefined
  #isWrapped: boolean | undefined

  constructor(text: ScreenText) {
    this.#text = text
  }

  get pane(): Pane {
    return (this.#pane ??= new Pane(this.#text))
  }

  /** Of the line at the cursor. */
  get upToCursor(): string {
    const { cursorRow } = this.#text
    return (this.#upToCursor ??= this.pane.isWide
      ? this.#text.textUpToCursor(this.#text.logicalStart(cursorRow))
      : this.pane.upToCursor)
  }

  /** What a line begins behind whose first key is pressed now. */
  get prompt(): string {
    return (this.#prompt ??= this.upToCursor.trimEnd())
  }

  /** Nothing stands behind the cursor in its row. */
  get isAtEnd(): boolean {
    const { cursorRow } = this.#text
    return this.pane.columns(cursorRow).trimEnd().length <= this.pane.upToCursor.trimEnd().length
  }

  /** A pager asks there, on the last row. */
  get isInPager(): boolean {
    const { cursorRow } = this.#text
    const isAsking = this.#text.isInverse(cursorRow) || pagerPrompt.test(this.pane.columns(cursorRow))
    return isAsking && this.pane.isLast(cursorRow)
  }

  /** tmux and screen ask for their own commands on the first or the last row, on a ground of its own. */
  get isAskedByMultiplexer(): boolean {
    const { cursorRow, top, bottom } = this.#text
    return (cursorRow === bottom || cursorRow === top) && this.#text.isColored(cursorRow)
  }

  /** What may be commands of the program: they go on below as editors have them wrap. */
  escapes(sign: RegExp): string[] {
    const { cursorRow } = this.#text
    // Anywhere else it is text.
    if (!this.pane.isLast(cursorRow)) return []
    const begun = this.pane
      .rowsUp(cursorRow)
      .slice(0, escapesMax)
      .filter((row) => row === cursorRow || sign.test(this.pane.columns(row).slice(0, 1)))
    return begun.map((row) => joined(this.#own(row, this.#text.bottom)))
  }

  /** The row of the cursor with those it goes on in, up and down: in its pane, across the screen, and between the next borders of any length. */
  get wrapped(): readonly string[] {
    const { cursorRow } = this.#text
    return (this.#wrapped ??= [this.pane, new Pane(this.#text, 'near'), new Pane(this.#text, 'none')].map(
      (pane) => {
        const from = pane.rowsUp(cursorRow).at(-1) ?? cursorRow
        let to = cursorRow
        while (pane.isFull(to) && to < this.#text.bottom) to++
        return pane.lineOf(from, to)
      },
    ))
  }

  /** The row of the cursor goes on from the one above. */
  get isWrapped(): boolean {
    return (this.#isWrapped ??= this.pane.rowsUp(this.#text.cursorRow).length > 1)
  }

  /** In that row, and where it wraps in those it goes on in. */
  behind(prompt: string, row: number): string {
    const start = this.#startOf(row)
    const text = this.#line(start)
    const before = text.startsWith(prompt) ? prompt : historySearch.exec(text)?.[0]
    return before !== undefined && !this.#isCutOff(start, prompt) ? text.slice(before.length).trim() : ''
  }

  /** The line at the cursor. An edited one goes on below as far as there is anything: what wraps in a pane is not known to. */
  standing(prompt: string, isEdited: boolean): string {
    const read = isEdited ? this.#standing.edited : this.#standing.whole
    let standing = read.get(prompt)
    if (standing === undefined) read.set(prompt, (standing = this.#read(prompt, isEdited)))
    return standing
  }

  #read(prompt: string, isEdited: boolean): string {
    const { cursorRow } = this.#text
    const first = this.behind(prompt, cursorRow)
    const below = this.pane.rowsBelow(cursorRow)
    if (first !== '' && (!isEdited || below.length === 0)) return first
    // In the row of the cursor, or one that goes on in it.
    const begins = (row: number) => this.pane.row(row)?.startsWith(prompt)
    // One of several rows that do not fill theirs comes from the history.
    const start =
      this.pane.rowsUp(cursorRow).find(begins) ?? (isEdited ? this.#rowsUp().find(begins) : undefined)
    if (start === undefined || prompt === '' || this.#isCutOff(start, prompt)) return first
    const last = isEdited ? cursorRow + below.length : cursorRow
    return this.pane.lineOf(start, last).slice(prompt.length).trim()
  }

  /** All that stands in those rows, as it may be one line: as rows, and joined; across the screen, and in the pane alone. */
  all(from: number, to: number): string[] {
    const rows = this.#text.textOfRows(from, to).split('\n')
    if (this.pane.isWide) return [rows.join('\n'), joined(rows)]
    const own = this.#own(from, to)
    // A blank in the last column is not to be told from none.
    const whole = own.map((row) => row.padEnd(this.pane.width)).join('')
    return [...[rows, own].flatMap((one) => [one.join('\n'), joined(one)]), whole.trimEnd()]
  }

  #own(from: number, to: number): string[] {
    return Array.from({ length: to - from + 1 }, (_none, at) => this.pane.columns(from + at))
  }

  /** Whether it still stands at the cursor or above it. */
  shows(given: Given): boolean {
    let isShown = this.#shows.get(given)
    if (isShown === undefined) {
      const rows = this.#rowsUp()
      isShown = rows.some((row) => this.behind(given.prompt, row) === given.shown)
      this.#shows.set(given, isShown)
    }
    return isShown
  }

  /** Whether a row at the cursor or above it begins with the prompt. */
  showsPrompt(prompt: string): boolean {
    return this.#rowsUp().some((row) => this.pane.row(row)?.startsWith(prompt))
  }

  /** Whether a line stands in view that was entered there. */
  has(typed: string, prompt: string): boolean {
    const places = this.#placesOf(prompt)
    const line = typed.trim()
    const whole = withoutBlanks(typed)
    return places.some(
      ({ behind, over }) => (behind !== '' && behind === line) || (whole !== '' && over.startsWith(whole)),
    )
  }

  /** From the cursor up. */
  #rowsUp(): number[] {
    const { cursorRow, top } = this.#text
    return Array.from({ length: Math.min(rowsMax, cursorRow - top + 1) }, (_none, up) => cursorRow - up)
  }

  #placesOf(prompt: string): readonly Place[] {
    const known = this.#places.get(prompt)
    if (known || this.#places.size >= promptsMax) return known ?? []
    const places = this.#rowsUp().map((row) => ({
      behind: this.behind(prompt, row),
      over: this.#over(prompt, row),
    }))
    this.#places.set(prompt, places)
    return places
  }

  #over(prompt: string, row: number): string {
    const own = this.pane.row(row)
    return own?.startsWith(prompt)
      ? withoutBlanks(own.slice(prompt.length)) + this.pane.below(row, typedMax)
      : ''
  }

  #startOf(row: number): number {
    return this.pane.isWide ? this.#text.logicalStart(row) : row
  }

  #line(start: number): string {
    if (!this.pane.isWide) return this.pane.columns(start)
    let line = this.#lines.get(start)
    if (line === undefined) this.#lines.set(start, (line = this.#text.logicalText(start).trimEnd()))
    return line
  }

  #isCutOff(start: number, prompt: string): boolean {
    // Beside another pane only the edge of the screen tells.
    if (!this.pane.endsScreen) return false
    const key = `${start} ${prompt.length > 1}`
    let isCutOff = this.#cutOff.get(key)
    if (isCutOff === undefined) {
      isCutOff = this.#text.isCutOff(start, this.#text.logicalEnd(start), prompt)
      this.#cutOff.set(key, isCutOff)
    }
    return isCutOff
  }
}

const joined = (rows: string[]) => rows.map((row) => row.trimEnd()).join('')
