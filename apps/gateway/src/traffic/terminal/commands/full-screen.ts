import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import type { Command, TypedLine, Unread } from '../screen/messages.ts'
import { type Key, type Pasted, unseenOf } from './keys.ts'
import { Pane } from './pane.ts'
import { historySearch } from './prompts.ts'
import { type ScreenText, withoutBlanks } from './screen-text.ts'
import { Typed } from './typed.ts'

const enteredMax = 1000
/** Of what was typed last so much is remembered. */
const typedMax = 2048
const aheadMs = 2000
/** A command is looked for in so many rows above the cursor. */
const searchRows = 60
/** What prompts of shells end with. */
export const shellPrompt = /[$#%>❯]$/u

interface Line {
  /** What stood before the cursor at the first key. */
  prompt: string
  /** What the row above it held then. */
  above: string
  typed: Typed
  /** It was begun while a shell ran what it was given before: likely it is for that one, too. */
  isAhead: boolean
  /** What stood behind the prompt at Enter. */
  shown: string
  /** ms since the epoch */
  time: number
}

/**
 * Reads shells that run inside a full-screen program (tmux, screen): rows move there as the program likes, so a command is what stands
 * behind something that looks like a prompt, or is there again afterwards. Whatever else was entered, in an editor say, is counted and
 * told as lines that were not read.
 */
export class FullScreenReader {
  readonly #text: ScreenText
  readonly #onFound: (found: Command | Unread) => void
  #line: Line | undefined
  #entered: Line[] = []
  #unreadLines = 0
  #since = 0
  /** Some of the line was typed on the other screen. */
  #isUnsure = false
  /** The keys since the last one that is no text. */
  #lastText = ''
  /** What was typed of the line before the paste that goes on. */
  #typedBeforePaste: string | undefined
  /** A line begun before then may be typed ahead for a shell. */
  #aheadUntilMs = 0
  /** What a shell was given last. */
  #running: Pick<Line, 'prompt' | 'shown'> | undefined

  constructor(text: ScreenText, onFound: (found: Command | Unread) => void) {
    this.#text = text
    this.#onFound = onFound
  }

  /** The program shows its screen; so many lines were typed ahead for it, and perhaps a part of one. */
  open(lines: number, isTyping: boolean): void {
    this.#unreadLines = lines
    this.#isUnsure = isTyping
    this.#lastText = ''
    this.#running = undefined
    this.#since = Date.now()
  }

  onKeys(keys: Key[]): void {
    if (!this.#line) this.#settle(this.#promptAtCursor())
    for (const key of keys) {
      if (key.kind === 'paste') {
        this.#typedBeforePaste = this.#typed
        continue
      }
      this.#follow(key)
      this.#lookForNewPrompt()
      this.#line ??= {
        prompt: this.#promptAtCursor(),
        above: this.#text.rowAbove(this.#text.cursorRow),
        typed: new Typed(),
        isAhead: this.#isRunning,
        shown: '',
        time: Date.now(),
      }
      const line = this.#line
      if (key.kind === 'enter') this.#enter(line)
      else if (key.kind === 'interrupt' && !shellPrompt.test(line.prompt)) this.#line = undefined
      // A key that moves the cursor in a shell may be one of the program's (tmux: Ctrl-B).
      else line.typed.type(key.kind === 'edit' ? { kind: 'edit' } : key)
    }
  }

  /** An interrupt has taken the line away where the cursor stands right behind a prompt. */
  #lookForNewPrompt(): void {
    const line = this.#line
    if (!line?.typed.isInDoubt) return
    const prompt = line.typed.before(this.#textUpToCursor())
    if (prompt === line.prompt && shellPrompt.test(prompt)) this.#line = undefined
  }

  #follow(key: Key): void {
    if (key.kind === 'enter' || key.kind === 'interrupt') this.#isUnsure = false
    if (key.kind === 'text') this.#lastText = (this.#lastText + key.text).slice(-typedMax)
    else if (key.kind === 'erase') this.#lastText = this.#lastText.slice(0, -1)
    else this.#lastText = ''
  }

  get isTyping(): boolean {
    return this.#isUnsure || (this.#line !== undefined && this.#line.typed.text !== '')
  }

  get #typed(): string | undefined {
    return this.#isUnsure ? undefined : this.#line ? this.#line.typed.text : ''
  }

  /**
   * The line that is being typed: behind the prompt of a shell, or on the row of the cursor.
   * @param paste that has begun and not ended
   */
  line(paste: Pasted | undefined): TypedLine {
    const { cursorRow } = this.#text
    this.#lookForNewPrompt()
    const isGivenUp = this.#line?.typed.isInDoubt !== true
    const prompt = this.#line?.prompt ?? this.#promptAtCursor()
    const typed = this.#typed
    const unerased = typed === undefined ? undefined : this.#line?.typed.unerased
    if (shellPrompt.test(prompt)) {
      const shown = this.#standing(prompt, typed)
      const pasted = unseenOf(paste, this.#typedBeforePaste, typed, shown)
      const besides = this.#around(typed)
      const isPrompt = shown === ''
      return { shown, typed, unerased, pasted, besides, place: 'full_screen', isPrompt, isGivenUp }
    }
    const row = this.#text.logicalText(cursorRow).trim()
    return this.#line?.isAhead
      ? { shown: row, typed, unerased, place: 'full_screen', isPrompt: false, isGivenUp }
      : {
          shown: row,
          typed: this.#lastText,
          unerased: undefined,
          place: 'program',
          isPrompt: false,
          isGivenUp,
        }
  }

  /** The program's screen was left. */
  close(): void {
    this.#settle(undefined)
    if (this.#unreadLines > 0)
      this.#onFound({ unread: 'full_screen', lines: this.#unreadLines, time: this.#since })
    this.#line = undefined
    this.#unreadLines = 0
  }

  #enter(line: Line): void {
    this.#line = undefined
    const isShell = shellPrompt.test(line.prompt)
    if (isShell || line.isAhead) this.#aheadUntilMs = performance.now() + aheadMs
    line.shown = this.#standing(line.prompt, line.typed.text)
    if (isShell && line.shown !== '') this.#running = line
    if (this.#entered.length < enteredMax) this.#entered.push(line)
    else this.#unreadLines++
  }

  /** A shell was given something just now, or it still stands above, where an editor or a pager would have painted over it. */
  get #isRunning(): boolean {
    if (performance.now() < this.#aheadUntilMs) return true
    const running = this.#running
    if (!running) return false
    const { cursorRow } = this.#text
    for (let row = cursorRow; row >= Math.max(0, cursorRow - searchRows); row--)
      if (this.#behind(running.prompt, row) === running.shown) return true
    return false
  }

  #settle(nextPrompt: string | undefined): void {
    for (const line of this.#entered.splice(0)) {
      if (line.typed.text === '' && line.shown === '') continue
      const isShell = shellPrompt.test(line.prompt) || (line.prompt !== '' && line.prompt === nextPrompt)
      const input = isShell ? this.#find(line) : ''
      if (input === '') this.#unreadLines++
      else this.#onFound({ input: shortened(input, commandInputMax), output: '', time: line.time })
    }
  }

  #promptAtCursor(): string {
    return this.#textUpToCursor().trimEnd()
  }

  #textUpToCursor(): string {
    return this.#text.textUpToCursor(this.#text.logicalStart(this.#text.cursorRow))
  }

  /** What was typed counts only where it is on the screen: what is not echoed is a secret. */
  #find({ prompt, typed: { text: typed }, shown }: Line): string {
    if (typed === undefined || shown === typed) return shown
    const { cursorRow } = this.#text
    const pane = new Pane(this.#text)
    for (let row = cursorRow; row >= Math.max(0, cursorRow - searchRows); row--) {
      const text = this.#behind(prompt, row)
      if (text !== '' && text === typed.trim()) return text
      if (isOver(pane, row, prompt, typed)) return typed.trim()
    }
    return ''
  }

  /** The line at the cursor. An edited one goes on below as far as there is anything: what wraps in a pane is not known to. */
  #standing(prompt: string, typed: string | undefined): string {
    const { cursorRow } = this.#text
    const first = this.#behind(prompt, cursorRow)
    if (first === '' || typed !== undefined) return first
    const pane = new Pane(this.#text)
    const below = pane.rowsBelow(cursorRow)
    const own = pane.row(cursorRow)?.slice(prompt.length).trim()
    return below.length === 0 || own === undefined ? first : [own, ...below].join('\n')
  }

  /**
   * Where an edited line begins and ends only the shell knows: rows of its own look like prompts, blanks and borders. So it may be all that
   * stands below, and what has come to stand above since it was begun.
   */
  #around(typed: string | undefined): string[] {
    if (typed !== undefined || !this.#line) return []
    const { cursorRow, bottom } = this.#text
    const { above } = this.#line
    const highest = Math.max(this.#text.top, cursorRow - searchRows)
    let from = this.#text.logicalStart(cursorRow)
    while (from > highest && !isKnownBy(this.#text.rowAbove(from), above)) from--
    const rows = this.#text.textOfRows(from, bottom)
    return [rows, rows.replaceAll(/\s*\n/g, '')]
  }

  #behind(prompt: string, row: number): string {
    const text = this.#text.logicalText(row).trimEnd()
    const isWhole = !this.#text.isCutOff(this.#text.logicalStart(row), this.#text.logicalEnd(row), prompt)
    const before = text.startsWith(prompt) ? prompt : historySearch.exec(text)?.[0]
    return before !== undefined && isWhole ? text.slice(before.length).trim() : ''
  }
}

/** A blank row is nothing to know a line by. */
const isKnownBy = (row: string, above: string) => above !== '' && row === above

/** Whether what was typed stands there over several rows. */
function isOver(pane: Pane, row: number, prompt: string, typed: string): boolean {
  const own = pane.row(row)
  const start = withoutBlanks(own?.slice(prompt.length) ?? '')
  const whole = withoutBlanks(typed)
  // Most prompts stand before other lines.
  const isBegun = whole.startsWith(start) || start.startsWith(whole)
  if (own?.startsWith(prompt) !== true || whole === '' || !isBegun) return false
  return (start + withoutBlanks(pane.rowsBelow(row).join(''))).startsWith(whole)
}
