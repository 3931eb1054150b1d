import type { Command, TypedLine, Unread } from '../screen/messages.ts'
import type { Key } from './keys.ts'
import type { ScreenText } from './screen-text.ts'

const enteredMax = 1000
const inputMax = 2048
/** A command is looked for in so many rows above the cursor. */
const searchRows = 60
/** What prompts of shells end with. */
const shellPrompt = /[$#%>❯]$/u

interface Line {
  /** What stood before the cursor at the first key. */
  prompt: string
  /** What was typed, where it was nothing but text. */
  typed: string | undefined
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

  constructor(text: ScreenText, onFound: (found: Command | Unread) => void) {
    this.#text = text
    this.#onFound = onFound
  }

  /** The program shows its screen; so many lines were typed ahead for it. */
  open(lines: number): void {
    this.#unreadLines = lines
    this.#since = Date.now()
  }

  onKeys(keys: Key[]): void {
    if (!this.#line) this.#settle(this.#promptAtCursor())
    for (const key of keys) {
      this.#line ??= { prompt: this.#promptAtCursor(), typed: '', shown: '', time: Date.now() }
      if (key.kind === 'enter') this.#enter(this.#line)
      else if (key.kind === 'interrupt') this.#line = undefined
      else if (key.kind !== 'text') this.#line.typed = undefined
      else if (this.#line.typed !== undefined)
        this.#line.typed = (this.#line.typed + key.text).slice(0, inputMax)
    }
  }

  /** The line that is being typed, where it stands behind the prompt of a shell. */
  line(): TypedLine | undefined {
    const prompt = this.#line?.prompt ?? this.#promptAtCursor()
    if (!shellPrompt.test(prompt)) return undefined
    const typed = this.#line ? this.#line.typed : ''
    return { shown: this.#behind(prompt, this.#text.cursorRow), typed }
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
    line.shown = this.#behind(line.prompt, this.#text.cursorRow)
    if (this.#entered.length < enteredMax) this.#entered.push(line)
    else this.#unreadLines++
  }

  #settle(nextPrompt: string | undefined): void {
    for (const line of this.#entered.splice(0)) {
      if (line.typed === '' && line.shown === '') continue
      const isShell = shellPrompt.test(line.prompt) || (line.prompt !== '' && line.prompt === nextPrompt)
      const input = isShell ? this.#find(line) : ''
      if (input === '') this.#unreadLines++
      else this.#onFound({ input, output: '', time: line.time })
    }
  }

  #promptAtCursor(): string {
    return this.#text.textUpToCursor(this.#text.logicalStart(this.#text.cursorRow)).trimEnd()
  }

  /** What was typed counts only where it is on the screen: what is not echoed is a secret. */
  #find({ prompt, typed, shown }: Line): string {
    if (typed === undefined || shown === typed) return shown
    const { cursorRow } = this.#text
    for (let row = cursorRow; row >= Math.max(0, cursorRow - searchRows); row--) {
      const text = this.#behind(prompt, row)
      if (text !== '' && text === typed.trim()) return text
    }
    return ''
  }

  #behind(prompt: string, row: number): string {
    const text = this.#text.logicalText(row).trimEnd()
    return text.startsWith(prompt) ? text.slice(prompt.length).trim().slice(0, inputMax) : ''
  }
}
