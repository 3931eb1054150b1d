import type { Emulation, Emulator } from '../screen/emulation.ts'
import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import type { Command, TypedLine, Unread } from '../screen/messages.ts'
import { FullScreenReader, shellPrompt } from './full-screen.ts'
import { KeyReader, type Key } from './keys.ts'
import { ScreenText } from './screen-text.ts'
import { Typed } from './typed.ts'

/** Characters of output in a command's record. */
export const outputMax = 1024
const waitingMax = 5000
const unseenMs = 3000
/** Output of a command is taken when so many lines or so much time have passed, or at the next prompt. */
const outputRows = 24
const outputWithinMs = 1000

/** What readline puts in place of the prompt while somebody searches the history or counts; what follows is the line. */
const historySearch = /^\((?:(?:failed )?(?:reverse-)?i-search\)`.*?': |arg: -?\d+\) )/

/** Of less, at rest and while it is told what to look for. */
const pagerPrompt = /^(?::|[/?&].*)\s*$/

const unreadable = {
  shown: undefined,
  typed: undefined,
  unerased: undefined,
  place: 'line',
  isPrompt: false,
} as const

type Marker = NonNullable<ReturnType<Emulator['registerMarker']>>

/** Where a line began: the prompt before the first key, on that row. */
interface Line {
  marker: Marker
  prompt: string
}

interface Entered {
  line: Line | undefined
  /** What was typed, where it was nothing but text. */
  typed: string | undefined
  /** What a gate read before Enter went on: later something else may be written between. */
  read: string | undefined
  /** The program will say when it takes the line (it switches bracketed paste off), so line feeds mean nothing. */
  isSignalled: boolean
  /** ms since the epoch */
  time: number
}

/**
 * Finds the commands a person runs by looking at the screen, as a person would: what stands behind the prompt when the line is taken. So
 * history, completion and editing come out right, and what is not echoed (a password) is never recorded. Where the shell tells when it
 * takes a line (bracketed paste is switched off) that is the moment; else it is the line feed after Enter. A line that could not be read is
 * told of as such, never left out.
 */
export class CommandReader {
  readonly #text: ScreenText
  readonly #fullScreen: FullScreenReader
  readonly #keys = new KeyReader()
  readonly #onFound: (found: Command | Unread) => void
  #line: Line | undefined
  #typed = new Typed()
  #entered: Entered[] = []
  /** Entered in the moment between a shell's last echo and the news of its prompt: it may take them, or somebody who does not echo did. */
  #ahead: Entered[] = []
  /** Typed ahead, and taken when the terminal showed them: a shell that edits lines itself takes each once more, later. */
  #echoed: string[] = []
  #lastPrompt = ''
  /** What stood where the last prompt began: output that did not end its line, keys the terminal echoed meanwhile. */
  #left: { marker: Marker; text: string } | undefined
  /** Where the gateway itself wrote last, since a gate read the line. */
  #told: { marker: Marker | undefined; text: string } | undefined
  /** The shell edits lines itself, and says when it does. */
  #hasEditor = false
  /** Some of the line was typed while it could not be followed. */
  #isUnsure = false
  /** What stood there when a gate asked last, and nothing was typed since. */
  #read: string | undefined
  #isInterrupted = false
  /** Some of the line has been seen: the shell shows what is typed. */
  #wasShown = false
  /** What was typed of the line before the paste that goes on. */
  #typedBeforePaste: string | undefined
  #open: { command: Command; marker: Marker; timer: NodeJS.Timeout } | undefined

  constructor(emulation: Emulation, onFound: (found: Command | Unread) => void) {
    this.#onFound = onFound
    const { emulator } = emulation
    this.#text = new ScreenText(emulator)
    this.#fullScreen = new FullScreenReader(this.#text, onFound)
    emulation.onGap = () => this.#forget('screen_lost')
    emulator.onLineFeed(() => this.#onLineFeed())
    emulator.buffer.onBufferChange(() => this.#onBufferChange())
    const isPasteMode = (params: (number | number[])[]) => params.includes(2004)
    emulator.parser.registerCsiHandler({ prefix: '?', final: 'l' }, (params) => {
      if (isPasteMode(params)) this.#onAccept()
      return false
    })
    emulator.parser.registerCsiHandler({ prefix: '?', final: 'h' }, (params) => {
      if (isPasteMode(params) && !this.#text.isAlternate) this.#onPrompt()
      return false
    })
  }

  /** What the person sent, when all output before has been emulated; undefined: more than can be followed. */
  input(bytes: Uint8Array | undefined): void {
    if (bytes) this.#onKeys(this.#keys.read(bytes, this.#text.isPasteMode))
    // more than anybody types: commands are found on the screen alone
    else this.#typed.lose()
  }

  /** The line that is being typed, for a gate that holds what takes it. */
  line(): TypedLine {
    if (this.#text.isAlternate) return this.#fullScreen.line()
    this.#lookForNewPrompt()
    if (this.#isInPager) return this.#lineOfPager()
    const typed = this.#isUnsure ? undefined : this.#typed.text
    // What stands there may still be the line before, which the program has not taken yet.
    const isBehind = typed === undefined && this.#entered.length > 0
    const shown = isBehind ? undefined : this.#shown(typed)
    if (typed === undefined && (this.#isEchoed(shown) || this.#isPastingKeys))
      return { ...unreadable, isGivenUp: !this.#typed.isInDoubt }
    const isWhole = typed === undefined || shown?.trimEnd().endsWith(typed.trimEnd())
    const isPrompt = shown === '' && this.#isAtPrompt
    const isKnownEmpty = isPrompt && typed === undefined
    this.#read = isWhole && (shown !== '' || isKnownEmpty) ? shown : undefined
    this.#forgetTold()
    const unerased = typed === undefined ? undefined : this.#typed.unerased
    const { sinceCompletion } = this.#typed
    return {
      shown,
      typed,
      unerased,
      sinceCompletion,
      pasted: this.#pastedUnseen(typed, shown),
      place: 'line',
      isPrompt,
      isEmptied: isKnownEmpty && this.#wasShown,
      isGivenUp: !this.#typed.isInDoubt,
    }
  }

  /** A pager that leaves the screen as it is (`less -X`, as of git and systemd) asks on the last row, below a shell that edits lines itself. */
  get #isInPager(): boolean {
    const row = this.#text.cursorRow
    const isBelow = this.#hasEditor && !this.#text.isPasteMode && row === this.#text.bottom
    const isPrompt = this.#text.isInverse(row) || pagerPrompt.test(this.#text.logicalText(row))
    return isBelow && this.#text.hasKeypad && isPrompt
  }

  /** What is written there is judged, and is no command of the shell's. */
  #lineOfPager(): TypedLine {
    const shown = this.#text.logicalText(this.#text.cursorRow).trim()
    this.#read = ''
    return { ...unreadable, shown, isGivenUp: !this.#typed.isInDoubt }
  }

  /** Among the text of the paste that goes on: what stands there may be what was written since. */
  get #isPastingKeys(): boolean {
    const { pasted } = this.#keys
    return pasted !== undefined && pasted.last === undefined
  }

  #pastedUnseen(typed: string | undefined, shown = ''): string | undefined {
    const before = this.#typedBeforePaste
    const { pasted } = this.#keys
    if (!pasted || before?.startsWith(shown.trimEnd()) !== true) return undefined
    // Its first line ends what stood there before.
    return pasted.lines === 0 ? typed : pasted.last
  }

  /** The gateway itself has written, up to the cursor. */
  told(): void {
    this.#forgetTold()
    const row = this.#text.cursorRow
    this.#told = { marker: this.#text.mark(row), text: this.#text.textUpToCursor(row) }
  }

  #forgetTold(): void {
    this.#told?.marker?.dispose()
    this.#told = undefined
  }

  /** Keys stand there as the terminal shows those that nobody has taken yet: only the shell knows what they will do to the line. */
  #isEchoed(shown: string | undefined): boolean {
    return this.#hasEditor && !this.#text.isPasteMode && /\^[@-_?]/.test(shown ?? '')
  }

  get #isAtPrompt(): boolean {
    const row = this.#text.lastRow
    const isKnown = this.#lastPrompt === '' || this.#promptOn(row) !== undefined
    return isKnown && this.#text.logicalText(row).trimEnd() !== ''
  }

  /** What stands there before the line: the last prompt, behind what was left before it. Undefined: another one, or none. */
  #promptOn(row: number): string | undefined {
    const prompt = this.#lastPrompt.trimEnd()
    const text = this.#text.logicalText(row)
    const candidates = [this.#leftOn(row) + prompt, prompt]
    return prompt === '' ? undefined : candidates.find((before) => text.startsWith(before))
  }

  #leftOn(row: number): string {
    const left = this.#left
    return left?.marker.line === this.#text.logicalStart(row) ? left.text : ''
  }

  #shown(typed: string | undefined): string | undefined {
    const row = this.#text.lastRow
    if (this.#line) return this.#behindPrompt(this.#line, row, typed)
    const isThere = typed !== undefined && this.#text.logicalText(row).trimEnd().endsWith(typed.trimEnd())
    return this.#behindLastPrompt(row, typed) ?? (isThere ? typed : undefined)
  }

  /** Gives what is still waiting. */
  close(): void {
    for (const entered of this.#entered.splice(0)) {
      if (entered.line) this.#take(entered, this.#text.cursorRow)
      else this.#tellUnread('not_shown', [entered])
    }
    this.#tellUnread('not_shown', this.#ahead.splice(0))
    this.#finishOutput()
    this.#fullScreen.close()
  }

  #onBufferChange(): void {
    // the lines are entered in the program that shows the other screen
    if (this.#text.isAlternate) {
      this.#fullScreen.open(this.#entered.splice(0).length, this.#typed.text !== '')
      this.#forget('screen_lost')
    } else {
      const wasTyping = this.#fullScreen.isTyping
      this.#fullScreen.close()
      this.#forget('screen_lost')
      this.#isUnsure ||= wasTyping
    }
  }

  #onKeys(keys: Key[]): void {
    if (this.#text.isAlternate) return this.#fullScreen.onKeys(keys)
    this.#dropUnseen()
    if (this.#text.isPasteMode) this.#echoed = []
    for (const key of keys) {
      this.#lookForNewPrompt()
      if (!this.#line && this.#entered.length === 0) this.#begin()
      if (key.kind === 'paste') {
        this.#typedBeforePaste = this.#isUnsure ? undefined : this.#typed.text
        continue
      }
      if (key.kind === 'enter') {
        this.#enter()
        this.#isUnsure = key.isFollowed
        continue
      }
      this.#wasShown ||= key.kind !== 'text' && Boolean(this.#shown(this.#typed.text)?.trim())
      this.#read = undefined
      this.#isInterrupted = key.kind === 'interrupt'
      this.#typed.type(key)
    }
  }

  /** Where the cursor stands behind a prompt on another row, the interrupt has taken the line away. */
  #lookForNewPrompt(): void {
    const row = this.#text.cursorRow
    const marker = this.#line?.marker
    const isElsewhere = marker?.line !== this.#text.logicalStart(row)
    if (!this.#typed.isInDoubt || !isElsewhere) return
    const text = this.#text.textUpToCursor(this.#text.logicalStart(row)).trimEnd()
    if (this.#promptOn(row) !== undefined || shellPrompt.test(text)) this.#startAnew()
  }

  #startAnew(): void {
    if (!this.#typed.isInDoubt) return
    const typed = this.#typed.sinceInterrupt()
    this.#reset()
    this.#typed = typed
  }

  /** Lines typed ahead that never appeared went to somebody who does not echo. */
  #dropUnseen(): void {
    const isUnseen = ({ line, isSignalled, time }: Entered) =>
      !line && !isSignalled && Date.now() - time > unseenMs
    const isOld = ({ time }: Entered) => Date.now() - time > unseenMs
    this.#tellUnread('not_shown', [...this.#entered.filter(isUnseen), ...this.#ahead.filter(isOld)])
    this.#entered = this.#entered.filter((entered) => !isUnseen(entered))
    this.#ahead = this.#ahead.filter((entered) => !isOld(entered))
  }

  #begin(): void {
    const start = this.#text.logicalStart(this.#text.cursorRow)
    const before = this.#text.textUpToCursor(start)
    const { text = '' } = this.#typed
    const isTypedAhead = text !== '' && before.endsWith(text)
    const isFirstKey = this.#typed.text === '' && !this.#isUnsure
    const prompt = isTypedAhead
      ? before.slice(0, -text.length)
      : isFirstKey
        ? before
        : this.#knownPromptOf(before, this.#leftOn(start))
    const marker = this.#text.mark(start)
    if (!marker) return
    this.#line = { marker, prompt }
    const left = this.#leftOn(start)
    const own = prompt.startsWith(left) ? prompt.slice(left.length) : prompt
    if (own !== '') this.#lastPrompt = own
    this.#finishOutput(start)
  }

  /** Where some of the line stands there already; nothing where it is not known: then all of it is the line. */
  #knownPromptOf(text: string, left: string): string {
    const prompts = this.#lastPrompt === '' ? [] : [left + this.#lastPrompt, this.#lastPrompt]
    const known = prompts.find((prompt) => text.startsWith(prompt))
    // What was typed went to a program that has ended since.
    const isNew = this.#text.isPasteMode && shellPrompt.test(text.trimEnd())
    return known ?? (isNew ? text : '')
  }

  #enter(): void {
    const isEditing = this.#text.isPasteMode
    const entered: Entered = {
      line: this.#line,
      typed: this.#isUnsure ? undefined : this.#typed.text,
      read: this.#read,
      isSignalled: isEditing || (this.#line === undefined && this.#entered.at(-1)?.isSignalled === true),
      time: Date.now(),
    }
    this.#line = undefined
    this.#typed = new Typed()
    this.#wasShown = false
    this.#read = undefined
    this.#isInterrupted = false
    if (this.#entered.length < waitingMax) this.#entered.push(entered)
  }

  #onLineFeed(): void {
    const entered = this.#entered[0]
    if (!entered || entered.isSignalled || this.#text.isAlternate) return
    const row = this.#text.cursorRow - 1
    if (!entered.line && !this.#isOnRow(entered, row)) return
    this.#entered.shift()
    if (entered.typed && this.#echoed.length < waitingMax) this.#echoed.push(entered.typed.trim())
    this.#take(entered, row)
  }

  /** A line typed ahead is its own once it stands on the screen. */
  #isOnRow(entered: Entered, row: number): boolean {
    const { typed } = entered
    return typed !== undefined && typed !== '' && this.#text.logicalText(row).endsWith(typed)
  }

  #onPrompt(): void {
    this.#hasEditor = true
    this.#keys.endPaste()
    this.#finishOutput(this.#text.cursorRow)
    for (const { typed, time, isSignalled } of this.#entered)
      if (!isSignalled && this.#ahead.length < waitingMax)
        this.#ahead.push({ line: undefined, typed, read: undefined, time, isSignalled: true })
    this.#entered = this.#entered.filter((entered) => entered.isSignalled)
    this.#startAnew()
    this.#line?.marker.dispose()
    this.#line = undefined
    this.#left?.marker.dispose()
    const start = this.#text.logicalStart(this.#text.cursorRow)
    const text = this.#text.textUpToCursor(start)
    const marker = text === '' ? undefined : this.#text.mark(start)
    this.#left = marker && { marker, text }
  }

  #onAccept(): void {
    if (this.#text.isAlternate || !this.#text.isPasteMode) return
    const entered = this.#entered.shift()
    if (entered) this.#take(entered, this.#text.cursorRow)
    else if (this.#isGivingUp) return
    else if (this.#line) {
      const line = this.#line
      const typed = this.#typed.text
      this.#line = undefined
      this.#reset()
      this.#take({ line, typed, read: undefined, isSignalled: true, time: Date.now() }, this.#text.cursorRow)
    } else {
      // Only what then stands on the screen is taken.
      const ahead = this.#ahead.shift()
      const row = this.#text.cursorRow
      if (ahead) this.#take(ahead, row)
      else this.#takeUntyped(row)
    }
  }

  /** Behind an interrupt bash takes what it gave up, twice; a key bound to something looks otherwise. */
  get #isGivingUp(): boolean {
    if (!this.#isInterrupted) return false
    const row = this.#rowEndedAt(this.#text.cursorRow)
    const text = this.#text.logicalText(row).trimEnd()
    return text.endsWith('^C') || text === this.#promptOn(row)
  }

  /** A line nobody is known to have entered: a key was bound to it, say. */
  #takeUntyped(endRow: number): void {
    const entered: Entered = {
      line: undefined,
      typed: undefined,
      read: undefined,
      isSignalled: true,
      time: Date.now(),
    }
    const row = this.#rowEndedAt(endRow)
    // Behind a prompt that nobody saw before, all there is: rather too much than nothing.
    const isKnown = this.#promptOn(row) !== undefined
    const whole = isKnown ? this.#readOff(entered, endRow) : this.#text.logicalText(row)
    const text = whole.trim()
    const echoed = this.#echoed.shift()
    const isFirst =
      this.#lastPrompt === '' && shellPrompt.test(text.slice(0, -(echoed?.length ?? 0)).trimEnd())
    if (echoed !== undefined && (text === echoed || (isFirst && text.endsWith(echoed)))) return
    if (text !== '') this.#record(text, entered.time, endRow)
  }

  #take(entered: Entered, endRow: number): void {
    const { read, time } = entered
    const stands = this.#readOff(entered, endRow)
    entered.line?.marker.dispose()
    // What a gate read first; what came to stand there only then was run all the same.
    const others = read === undefined ? [] : this.#othersThan(read, stands, entered.typed, endRow)
    const [other, ...perhaps] = others
    for (const input of other !== undefined && read ? [read, ...perhaps] : perhaps)
      this.#onFound({ input: shortened(input, commandInputMax), output: '', time })
    const text = (other ?? read ?? stands).trim()
    // A gate saw that there was none.
    if (read === '' && other === undefined) return
    if (text === '') return this.#tellUnread('not_shown', [entered])
    this.#record(text, time, endRow)
  }

  /** The line ends in that row; its output follows. */
  #record(text: string, time: number, endRow: number): void {
    this.#finishOutput(this.#text.logicalStart(endRow))
    const command = { input: shortened(text, commandInputMax), output: '', time }
    const marker = this.#text.mark(Math.min(endRow + 1, this.#text.cursorRow))
    if (!marker) return this.#onFound(command)
    const timer = setTimeout(() => this.#finishOutput(), outputWithinMs)
    this.#open = { command, marker, timer }
  }

  /** What stands there now and may have run, where that is another line than a gate has read. */
  #othersThan(read: string, stands: string, typed: string | undefined, endRow: number): string[] {
    const told = this.#told
    if (told?.marker && !told.marker.isDisposed) {
      const since = this.#text.lineOfRows(told.marker.line, endRow)
      this.#forgetTold()
      const added = since.startsWith(told.text) ? since.slice(told.text.length).trim() : ''
      // Behind what the gateway wrote nobody knows whether it goes on or is all there is.
      return added === '' || added.endsWith('^C') ? [] : [read + added, added]
    }
    const text = stands.trim()
    // What a shell proposed behind it is gone.
    const isProposed = text === typed?.trim() && read.startsWith(text)
    return text === '' || text === read.trim() || isProposed ? [] : [text]
  }

  #readOff({ line, typed, isSignalled }: Entered, endRow: number): string {
    if (line) {
      const text = this.#behindPrompt(line, endRow, typed)
      // what nobody edits is echoed as it was typed, or not at all
      if (typed !== undefined && !isSignalled && !text?.includes(typed)) return ''
      if (text !== undefined) return typed && text.endsWith(typed) && !typed.includes('\n') ? typed : text
    }
    const row = this.#rowEndedAt(endRow)
    const behind = this.#behindLastPrompt(row, typed)
    if (behind !== undefined) return behind
    const text = this.#text.logicalText(row)
    return typed && text.trimEnd().endsWith(typed.trimEnd()) ? typed : ''
  }

  /** A line is taken where it ends, or on the row below. */
  #rowEndedAt(row: number): number {
    return this.#text.logicalText(row).trimEnd() === '' ? row - 1 : row
  }

  #behindLastPrompt(row: number, typed: string | undefined): string | undefined {
    const prompt = this.#promptOn(row)
    if (prompt === undefined) return undefined
    const whole = this.#wholeLine(this.#text.logicalStart(row), this.#text.logicalEnd(row), prompt, typed)
    return whole?.trimEnd()
  }

  /** Undefined: its prompt cannot be found, or what stands behind it is a part of the line only. */
  #behindPrompt({ marker, prompt }: Line, endRow: number, typed: string | undefined): string | undefined {
    const isMarked = !marker.isDisposed && marker.line <= endRow
    if (!isMarked && prompt === '') return undefined
    // Where its row was written over the prompt may stand below; where the screen was erased, in what is in view. Others' stand above.
    for (let row = isMarked ? marker.line : this.#text.top; row <= endRow; row++) {
      const start = this.#text.logicalStart(row)
      const own = this.#text.logicalText(row)
      const before = own.startsWith(prompt.trimEnd()) ? prompt : historySearch.exec(own)?.[0]
      if (before !== undefined) return this.#wholeLine(start, endRow, before, typed)
    }
    return undefined
  }

  #wholeLine(start: number, endRow: number, before: string, typed: string | undefined): string | undefined {
    const text = this.#text.lineOfRows(start, endRow).slice(before.length)
    const isAsTyped = typed && text.trimEnd().endsWith(typed.trimEnd())
    return isAsTyped || !this.#text.isCutOff(start, endRow, before) ? text : undefined
  }

  /** Gives the last command away with its output, which ends before `row`. */
  #finishOutput(row = this.#text.cursorRow + 1): void {
    const open = this.#open
    if (!open) return
    this.#open = undefined
    clearTimeout(open.timer)
    const from = open.marker.isDisposed ? row : open.marker.line
    open.marker.dispose()
    const end = Math.min(row - 1, from + outputRows * 4)
    if (end >= from) open.command.output = this.#text.textOfRows(from, end).trimEnd().slice(0, outputMax)
    this.#onFound(open.command)
  }

  #reset(): void {
    this.#line?.marker.dispose()
    this.#line = undefined
    this.#typed = new Typed()
    this.#wasShown = false
    this.#read = undefined
    this.#isUnsure = false
  }

  /** Output was left out, or another screen is shown: positions mean nothing any more. */
  #forget(unread: Unread['unread']): void {
    this.#finishOutput()
    this.#tellUnread(unread, this.#entered.splice(0))
    const wasTyping = this.#isUnsure || this.#typed.text !== ''
    this.#reset()
    this.#isUnsure = wasTyping
  }

  /** Lines that were nothing but Enter are none. */
  #tellUnread(unread: Unread['unread'], entered: Entered[]): void {
    const lines = entered.filter(({ typed }) => typed !== '')
    const [first] = lines
    if (first) this.#onFound({ unread, lines: lines.length, time: first.time })
  }
}
