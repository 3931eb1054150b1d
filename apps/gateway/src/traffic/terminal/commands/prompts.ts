import type { Marker } from '../screen/emulation.ts'
import type { ScreenText } from './screen-text.ts'
import type { Stood } from './stood.ts'
import type { Typed } from './typed.ts'

/** What prompts of shells end with. */
export const shellPrompt = /[$#%>❯]$/u

/** What readline puts in place of the prompt while somebody searches the history or counts; what follows is the line. */
export const historySearch = /^\((?:(?:failed )?(?:reverse-)?i-search\)`.*?': |arg: -?\d+\) )/

/** What a program asks with; shells have other signs. */
export const question = /[:：?？]\s*$/u

/** Of less, at rest, at the end, and while it is told what to look for. */
export const pagerPrompt = /^(?::\s*$|[/?&]|\(END\))/

/** What readline asks before it lists many completions, and below each screenful of them. */
const listQuestion = /^Display all \d+ possibilities\? \(y or n\)\s*$/
const pageQuestion = /^--More--\s*$/

const recentMost = 4

/** Where a line began: the prompt before the first key, on that row. */
export interface Line {
  marker: Marker
  prompt: string
  /** The last row of the line when a key completed it, as long as nothing but text was typed since. */
  completed?: Marker | undefined
  /** The shell asked since whether to list what could complete it, and took the next keys for answers. */
  isAsked?: boolean
}

/** … and what was typed of it. */
interface Begun {
  line: Line | undefined
  typed: Typed
}

/** Where it is no longer asked for. */
export function release(line: Line | undefined): void {
  line?.marker.dispose()
  line?.completed?.dispose()
}

/** Where on the screen a line begins that somebody types: behind a prompt, which is known by having been there before the first key. */
export class Prompts {
  readonly #text: ScreenText
  #last = ''
  /** The shapes of the last few. */
  #recent: string[] = []
  /** Of a shell that edits lines itself: programs it runs have others. */
  #ofShell = ''
  /** What stood where the last prompt began: output that did not end its line, keys the terminal echoed meanwhile. */
  #left: { marker: Marker; text: string } | undefined

  constructor(text: ScreenText) {
    this.#text = text
  }

  /** Nobody typed at one yet. */
  get isNoneKnown(): boolean {
    return this.#last === ''
  }

  /** One is about to be written at the cursor. */
  onWrite(): void {
    this.#left?.marker.dispose()
    const start = this.#text.logicalStart(this.#text.cursorRow)
    const text = this.#text.textUpToCursor(start)
    const marker = text === '' ? undefined : this.#text.mark(start)
    this.#left = marker && { marker, text }
  }

  /**
   * A line begins at the cursor.
   * @param typed of it, and perhaps on the screen already; undefined: not known
   * @param isAll nothing else was typed of it
   */
  begin(typed: string | undefined, isAll: boolean): Line | undefined {
    const start = this.#text.logicalStart(this.#text.cursorRow)
    const before = this.#text.textUpToCursor(start)
    const left = this.#leftOn(start)
    const prompt =
      typed && before.endsWith(typed)
        ? before.slice(0, -typed.length)
        : typed === '' && isAll
          ? before
          : this.#knownIn(before, left)
    const marker = this.#text.mark(start)
    if (!marker) return undefined
    const own = prompt.startsWith(left) ? prompt.slice(left.length) : prompt
    if (own !== '') this.#last = own
    const shape = shapeOf(own)
    this.#recent = [shape, ...this.#recent.filter((one) => one !== shape)].slice(0, recentMost)
    if (own !== '' && this.#text.isPasteMode) this.#ofShell = own
    return { marker, prompt }
  }

  /** Where some of the line stands there already; nothing where it is not known: then all of it is the line. */
  #knownIn(text: string, left: string): string {
    return this.#candidates(left).find((prompt) => text.startsWith(prompt)) ?? ''
  }

  /**
   * Whether one stands at the cursor that came there since the line was begun: an interrupt took the line away, or a program that was given
   * keys has ended.
   * @param stood at the last interrupt
   * @returns the line that begins there
   */
  begunAnew(line: Line | undefined, typed: Typed, stood: Stood | undefined): Begun | undefined {
    const row = this.#text.cursorRow
    if (typed.isInDoubt) {
      const before = this.#text.textUpToCursor(this.#text.editStart(row))
      const prompt = typed.before(before)
      if (!prompt || !(shellPrompt.test(prompt) || this.#isKnown(prompt))) return undefined
      if (!stood?.isBefore(prompt)) return undefined
      const anew = typed.sinceInterrupt()
      return { typed: anew, line: this.begin(anew.text, true) }
    }
    if (!line) return undefined
    const before = this.#text.textUpToCursor(this.#text.logicalStart(row))
    const { prompt, left } = typed.behindOthers(before, line.prompt)
    const isSame = typed.text === undefined ? this.#isThere(line) : before === line.prompt + left
    if (isSame || !this.#isKnown(prompt)) return undefined
    return { typed: typed.elsewhere(left), line: this.begin(left, true) }
  }

  /** Where it began its prompt still stands. */
  #isThere({ marker, prompt }: Line): boolean {
    const text = prompt.trim()
    return text !== '' && (marker.isDisposed || this.#text.logicalText(marker.line).includes(text))
  }

  /** Whether it looks like one of those somebody typed at lately. */
  #isKnown(prompt: string): boolean {
    return prompt !== '' && this.#recent.includes(shapeOf(prompt))
  }

  /** The cursor stands right behind the last one: of what was typed nothing is there. */
  get isAtCursor(): boolean {
    const start = this.#text.logicalStart(this.#text.cursorRow)
    const text = this.#text.textUpToCursor(start).trimEnd()
    return !this.isNoneKnown && text === this.on(start)?.trimEnd()
  }

  /** Whether one stands in the last row, as far as any is known. */
  get isShown(): boolean {
    const row = this.#text.lastRow
    const isKnown = this.isNoneKnown || this.on(row) !== undefined
    return isKnown && this.#text.logicalText(row).trimEnd() !== ''
  }

  /** What stands there before the line: the last prompt, behind what was left before it. Undefined: another one, or none. */
  on(row: number): string | undefined {
    const text = this.#text.logicalText(row)
    const candidates = this.#candidates(this.#leftOn(row)).map((prompt) => prompt.trimEnd())
    return candidates.find((prompt) => prompt !== '' && text.startsWith(prompt))
  }

  #candidates(left: string): string[] {
    const known = this.#text.isPasteMode ? [this.#ofShell, this.#last] : [this.#last, this.#ofShell]
    return known.filter(Boolean).flatMap((prompt) => [left + prompt, prompt])
  }

  #leftOn(row: number): string {
    const left = this.#left
    return left?.marker.line === this.#text.logicalStart(row) ? left.text : ''
  }

  /**
   * The line behind the last prompt, where that stands in this row.
   * @param typed of it, where it was nothing but text; what ends with that is all of it
   */
  behindLast(row: number, typed: string | undefined): string | undefined {
    const prompt = this.on(row)
    if (prompt === undefined) return undefined
    const whole = this.#wholeLine(this.#text.logicalStart(row), this.#text.logicalEnd(row), prompt, typed)
    return whole?.trimEnd()
  }

  /** The line that began there. Undefined: its prompt cannot be found, or what stands behind it is a part of the line only. */
  behind(line: Line, endRow: number, typed: string | undefined): string | undefined {
    const { marker, prompt } = line
    const isMarked = !marker.isDisposed && marker.line <= endRow
    if (!isMarked && prompt === '') return undefined
    const again = this.#rowBehindList(line, endRow)
    if (again !== undefined) return this.#wholeLine(again, endRow, prompt, typed)
    // Where its row was written over the prompt may stand below; where the screen was erased, in what is in view. Others' stand above.
    for (let row = isMarked ? marker.line : this.#text.top; row <= endRow; row++) {
      const start = this.#text.logicalStart(row)
      const own = this.#text.logicalText(row)
      const before = own.startsWith(prompt.trimEnd()) ? prompt : historySearch.exec(own)?.[0]
      if (before !== undefined) return this.#wholeLine(start, endRow, before, typed)
    }
    return undefined
  }

  /** Where the shell wrote prompt and line once more, below a list of what could complete it. Text that was typed since is no such place. */
  #rowBehindList({ prompt, completed }: Line, endRow: number): number | undefined {
    if (!completed || completed.isDisposed || prompt.trim() === '') return undefined
    // The first: rows of the line itself may begin like a prompt.
    for (let row = completed.line + 1; row <= endRow; row++)
      if (this.#text.editStart(row) === row && this.#text.logicalText(row).startsWith(prompt.trimEnd()))
        return row
    return undefined
  }

  noteListQuestion(line: Line): void {
    const { completed } = line
    if (!completed || completed.isDisposed) return
    const { lastRow } = this.#text
    for (let row = completed.line; row <= lastRow && !line.isAsked; row++)
      line.isAsked = listQuestion.test(this.#text.logicalText(row))
  }

  get isAskedNow(): boolean {
    const text = this.#text.logicalText(this.#text.lastRow)
    return listQuestion.test(text) || pageQuestion.test(text)
  }

  /**
   * What is done to the line next is done below the list.
   * @param since text typed since the list, some of which may not stand there yet; what looks like a prompt below may be a part of it
   */
  goOnBehindList(line: Line, since: string | undefined): void {
    if (since === undefined || since.includes('\n') || since.includes(line.prompt.trim())) return
    const row = this.#rowBehindList(line, this.#text.lastRow)
    const marker = row === undefined ? undefined : this.#text.mark(row)
    if (!marker) return
    line.marker.dispose()
    line.marker = marker
  }

  #wholeLine(start: number, endRow: number, before: string, typed: string | undefined): string | undefined {
    const text = this.#text.lineOfRows(start, endRow).slice(before.length)
    if (typed && text.trimEnd().endsWith(typed.trimEnd())) return text
    // Editors show one screenful; what has left the screen they do not write again.
    const isInView = start >= this.#text.top && endRow - start + 1 < this.#text.rows
    return isInView && !this.#text.isCutOff(start, endRow, before) ? text : undefined
  }
}

/** Of a prompt that tells the time, or how a command ended, each is another. */
const shapeOf = (prompt: string) => prompt.trimEnd().replaceAll(/\d+/g, '0')
