import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import type { Command, TypedLine, Unread } from '../screen/messages.ts'
import { type Key, type Pasted, unseenOf } from './keys.ts'
import { type Given, Moment } from './moment.ts'
import { question, shellPrompt } from './prompts.ts'
import type { ScreenText } from './screen-text.ts'
import { Typed, typedMax } from './typed.ts'

const enteredMax = 1000
const aheadMs = 2000

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
  #running: Given | undefined
  #moment: Moment | undefined

  constructor(text: ScreenText, onFound: (found: Command | Unread) => void) {
    this.#text = text
    this.#onFound = onFound
    text.onChange(() => (this.#moment = undefined))
  }

  get #now(): Moment {
    return (this.#moment ??= new Moment(this.#text))
  }

  /** The program shows its screen; so many lines were typed ahead for it, and perhaps a part of one. */
  open(lines: number, isTyping: boolean): void {
    this.#unreadLines = lines
    this.#isUnsure = isTyping
    this.#lastText = ''
    this.#running = undefined
    this.#since = Date.now()
    this.#moment = undefined
  }

  onKeys(keys: Key[]): void {
    this.#lookForNewPrompt()
    if (!this.#line) this.#settle(this.#now.prompt)
    for (const key of keys) {
      if (key.kind === 'paste') {
        this.#typedBeforePaste = this.#typed
        continue
      }
      this.#follow(key)
      this.#line ??= {
        prompt: this.#now.prompt,
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
    const prompt = line.typed.before(this.#now.upToCursor)
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
    const prompt = this.#line?.prompt ?? this.#now.prompt
    const typed = this.#typed
    const unerased = typed === undefined ? undefined : this.#line?.typed.unerased
    if (shellPrompt.test(prompt)) {
      const shown = this.#now.standing(prompt, typed === undefined)
      const pasted = unseenOf(paste, this.#typedBeforePaste, typed, shown)
      const besides = this.#around(typed)
      const isPrompt = shown === ''
      return { shown, typed, unerased, pasted, besides, place: 'full_screen', prompt, isPrompt, isGivenUp }
    }
    const row = this.#text.logicalText(cursorRow).trim()
    const isAnswer = question.test(row)
    return this.#line?.isAhead
      ? { shown: row, typed, unerased, place: 'full_screen', isAnswer, isPrompt: false, isGivenUp }
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
    this.#moment = undefined
    this.#settle(undefined)
    this.#moment = undefined
    if (this.#unreadLines > 0)
      this.#onFound({ unread: 'full_screen', lines: this.#unreadLines, time: this.#since })
    this.#line = undefined
    this.#unreadLines = 0
  }

  #enter(line: Line): void {
    this.#line = undefined
    const isShell = shellPrompt.test(line.prompt)
    if (isShell || line.isAhead) this.#aheadUntilMs = performance.now() + aheadMs
    line.shown = this.#now.standing(line.prompt, line.typed.text === undefined)
    if (isShell && line.shown !== '') this.#running = line
    if (this.#entered.length < enteredMax) this.#entered.push(line)
    else this.#unreadLines++
  }

  /** A shell was given something just now, or it still stands above, where an editor or a pager would have painted over it. */
  get #isRunning(): boolean {
    if (performance.now() < this.#aheadUntilMs) return true
    return this.#running !== undefined && this.#now.shows(this.#running)
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

  /** What was typed counts only where it is on the screen: what is not echoed is a secret. */
  #find({ prompt, typed: { text: typed }, shown }: Line): string {
    if (typed === undefined || shown === typed) return shown
    return this.#now.has(typed, prompt) ? typed.trim() : ''
  }

  /**
   * Where an edited line begins and ends only the shell knows: rows of its own look like prompts, blanks and borders. So it may be all that
   * stands below, and what has come to stand above since it was begun.
   */
  #around(typed: string | undefined): string[] {
    if (typed !== undefined || !this.#line) return []
    const { cursorRow, top, bottom } = this.#text
    const { above } = this.#line
    let from = this.#text.logicalStart(cursorRow)
    while (from > top && !isKnownBy(this.#text.rowAbove(from), above)) from--
    const rows = this.#text.textOfRows(from, bottom)
    return [rows, joined(rows)]
  }
}

/** A blank row is nothing to know a line by. */
const isKnownBy = (row: string, above: string) => above !== '' && row === above

const joined = (rows: string) =>
  rows
    .split('\n')
    .map((row) => row.trimEnd())
    .join('')
