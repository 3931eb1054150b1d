import type { Emulation, Marker } from '../screen/emulation.ts'
import type { Command, TypedLine, Unread } from '../screen/messages.ts'
import { Distortion } from './distortion.ts'
import { FoundCommands } from './found-commands.ts'
import { FullScreenReader } from './full-screen.ts'
import { KeyReader, type Key, unseenOf } from './keys.ts'
import { type Line, pagerPrompt, Prompts, question, release, shellPrompt } from './prompts.ts'
import { ScreenText } from './screen-text.ts'
import { Stood } from './stood.ts'
import { behindAnswers, Typed } from './typed.ts'

const waitingMax = 5000
const unseenMs = 3000

const unreadable = {
  shown: undefined,
  typed: undefined,
  unerased: undefined,
  place: 'line',
  isPrompt: false,
} as const

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
  readonly #prompts: Prompts
  readonly #found: FoundCommands
  readonly #distortion: Distortion
  #line: Line | undefined
  #typed = new Typed()
  #entered: Entered[] = []
  /** Entered in the moment between a shell's last echo and the news of its prompt: it may take them, or somebody who does not echo did. */
  #ahead: Entered[] = []
  /** Typed ahead, and taken when the terminal showed them: a shell that edits lines itself takes each once more, later. */
  #echoed: string[] = []
  /** Where the gateway itself wrote last, since a gate read the line. */
  #told: { marker: Marker | undefined; text: string } | undefined
  /** The shell edits lines itself, and says when it does. */
  #hasEditor = false
  /** Some of the line was typed while it could not be followed. */
  #isUnsure = false
  /** What stood there when a gate asked last, and nothing was typed since. */
  #read: string | undefined
  #isInterrupted = false
  /** When it was interrupted last. */
  #stood: Stood | undefined
  /** Some of the line has been seen: the shell shows what is typed. */
  #wasShown = false
  /** What was typed of the line before the paste that goes on. */
  #typedBeforePaste: string | undefined

  constructor(emulation: Emulation, onFound: (found: Command | Unread) => void) {
    const { emulator } = emulation
    this.#text = new ScreenText(emulator)
    this.#prompts = new Prompts(this.#text)
    this.#found = new FoundCommands(this.#text, onFound)
    this.#distortion = new Distortion(emulation)
    this.#fullScreen = new FullScreenReader(this.#text, onFound)
    emulation.onGap = () => this.#forget('screen_lost')
    this.#text.onWidth(() => {
      if (!this.#text.isAlternate) this.#distortion.widthChanged()
    })
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

  /** Another has read before, and is lost: somebody may be in the middle of a line. */
  goOnUnknowing(): void {
    this.#isUnsure = true
  }

  /** What the person sent, when all output before has been emulated; undefined: more than can be followed. */
  input(bytes: Uint8Array | undefined): void {
    if (bytes) this.#onKeys(this.#keys.read(bytes, this.#text.isPasteMode))
    // more than anybody types: commands are found on the screen alone
    else this.#typed.lose()
  }

  /** The line that is being typed, for a gate that holds what takes it. */
  line(): TypedLine {
    if (this.#text.isAlternate) {
      const line = this.#fullScreen.line(this.#keys.pasted)
      return { ...line, isDistorted: line.isDistorted === true || this.#distortion.isThere }
    }
    this.#lookForNewPrompt()
    if (this.#isInPager) return this.#lineOfPager()
    const typed = this.#isUnsure ? undefined : this.#typed.text
    // What stands there may still be the line before, which the program has not taken yet.
    const isBehind = typed === undefined && this.#entered.length > 0
    const shown = isBehind ? undefined : this.#shown(typed)
    if (typed === undefined && (this.#isEchoed(shown) || this.#isPastingKeys))
      return { ...unreadable, isGivenUp: !this.#typed.isInDoubt }
    const isWhole = typed === undefined || shown?.trimEnd().endsWith(typed.trimEnd())
    const isPrompt = shown === '' && this.#prompts.isShown
    const isKnownEmpty = isPrompt && typed === undefined
    this.#read = isWhole && (shown !== '' || isKnownEmpty) ? shown : undefined
    this.#forgetTold()
    const unerased = typed === undefined ? undefined : this.#typed.unerased
    return {
      shown,
      typed,
      unerased,
      sinceCompletion: this.#sinceCompletion(shown),
      pasted: unseenOf(this.#keys.pasted, this.#typedBeforePaste, typed, shown ?? ''),
      besides: this.#typed.isUnclear ? [this.#text.linesInView] : this.#typed.perhaps,
      place: 'line',
      ...this.#before(typed),
      isPrompt,
      isEmptied: isKnownEmpty && this.#wasShown,
      isDistorted: this.#distortion.isThere,
      isGivenUp: !this.#typed.isInDoubt,
    }
  }

  /** Of a line that was edited, and has been seen, nothing stands there any more. */
  get #emptied(): '' | undefined {
    return this.#wasShown && this.#shown(undefined) === '' && this.#prompts.isShown ? '' : undefined
  }

  #sinceCompletion(shown: string | undefined): string | undefined {
    const { sinceCompletion } = this.#typed
    const line = this.#line
    if (!sinceCompletion || !line) return sinceCompletion
    this.#prompts.noteListQuestion(line)
    if (!line.isAsked || this.#prompts.isAskedNow) return sinceCompletion
    const isShown = (text: string) => shown?.trimEnd().endsWith(text.trimEnd())
    return behindAnswers(sinceCompletion).find(isShown) ?? sinceCompletion
  }

  /** What the line stands behind. */
  #before(typed: string | undefined): Pick<TypedLine, 'prompt' | 'isAnswer'> {
    const prompt =
      this.#entered.length > 0 ? undefined : (this.#line?.prompt ?? this.#beforeTypedAhead(typed))
    return { prompt, isAnswer: !this.#text.isPasteMode && question.test(prompt ?? '') }
  }

  #beforeTypedAhead(typed: string | undefined): string | undefined {
    if (!this.#text.isPasteMode || this.#typed.isInDoubt) return undefined
    const text = this.#text.logicalText(this.#text.lastRow).trimEnd()
    const end = typed?.trimEnd()
    return end !== undefined && text.endsWith(end) ? text.slice(0, text.length - end.length) : undefined
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

  #shown(typed: string | undefined): string | undefined {
    const row = this.#text.lastRow
    if (this.#line)
      return this.#ownOf(this.#prompts.behind(this.#line, row, typed), typed) ?? this.#filling(typed, row)
    const isThere = typed !== undefined && this.#text.logicalText(row).trimEnd().endsWith(typed.trimEnd())
    return this.#prompts.behindLast(row, typed) ?? (isThere ? typed : undefined)
  }

  /** Before there was any prompt a line is what was typed: around it stands what the host writes while it lets somebody in. */
  #ownOf(text: string | undefined, typed: string | undefined): string | undefined {
    const isBeforeAny = this.#prompts.isNoneKnown && typed !== undefined && typed.trim() !== ''
    return isBeforeAny && text?.includes(typed.trimEnd()) ? typed : text
  }

  /** What was typed, or pasted, and is taller than the screen. */
  #filling(typed: string | undefined, endRow: number): string | undefined {
    return typed !== undefined && this.#text.isFilledWith(typed, endRow) ? typed : undefined
  }

  /** Gives what is still waiting. */
  close(): void {
    for (const entered of this.#entered.splice(0)) {
      if (entered.line) this.#take(entered, this.#text.cursorRow)
      else this.#found.tellUnread('not_shown', [entered])
    }
    this.#found.tellUnread('not_shown', this.#ahead.splice(0))
    this.#found.finishOutput()
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
    if (this.#text.isAlternate) {
      this.#distortion.note()
      this.#fullScreen.onKeys(keys)
      if (keys.some(({ kind }) => kind === 'enter')) this.#distortion.begin()
      return
    }
    this.#dropUnseen()
    if (this.#text.isPasteMode) this.#echoed = []
    this.#lookForNewPrompt()
    for (const key of keys) {
      if (key.kind === 'redraw' && this.#typed.isUntouched && !this.#isUnsure) continue
      if (this.#typed.isUntouched && !this.#isUnsure) this.#distortion.begin()
      this.#distortion.note()
      if (!this.#line && this.#entered.length === 0) this.#begin()
      if (key.kind === 'paste') {
        this.#typedBeforePaste = this.#isUnsure ? undefined : (this.#typed.text ?? this.#emptied)
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
      if (this.#isInterrupted) this.#stood = new Stood(this.#text)
      const { sinceCompletion } = this.#typed
      this.#typed.type(key)
      if (key.kind !== 'text') this.#noteCompletion(key, sinceCompletion)
      else if (this.#line) this.#prompts.noteListQuestion(this.#line)
    }
  }

  /** `since`: text typed since the one before. */
  #noteCompletion(key: Key, since: string | undefined): void {
    const line = this.#line
    if (!line) return
    this.#prompts.goOnBehindList(line, since)
    line.completed?.dispose()
    const isCompletion = key.kind === 'edit' && key.isCompletion
    line.completed = isCompletion ? this.#text.mark(this.#text.lastRow) : undefined
    line.isAsked = false
  }

  #lookForNewPrompt(): void {
    // One that says when it reads a line says so again.
    if (this.#text.isPasteMode) return
    const anew = this.#prompts.begunAnew(this.#line, this.#typed, this.#stood)
    if (!anew) return
    this.#reset()
    this.#typed = anew.typed
    this.#line = anew.line
    this.#wasShown = anew.typed.isUnclear
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
    this.#found.tellUnread('not_shown', [...this.#entered.filter(isUnseen), ...this.#ahead.filter(isOld)])
    this.#entered = this.#entered.filter((entered) => !isUnseen(entered))
    this.#ahead = this.#ahead.filter((entered) => !isOld(entered))
  }

  #begin(): void {
    if (this.#text.isPasteMode && !this.#isUnsure && this.#typed.text && this.#prompts.isAtCursor)
      this.#typed = this.#typed.elsewhere()
    this.#line = this.#prompts.begin(this.#typed.text, !this.#isUnsure)
    if (this.#line) this.#found.finishOutput(this.#line.marker.line)
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
    if (entered.typed !== undefined && this.#echoed.length < waitingMax)
      this.#echoed.push(entered.typed.trim())
    this.#take(entered, row)
  }

  /** A line typed ahead is its own once it stands on the screen. */
  #isOnRow(entered: Entered, row: number): boolean {
    const { typed } = entered
    const text = this.#text.logicalText(row)
    return typed?.trim() ? text.endsWith(typed) : typed !== undefined && text.trim() === ''
  }

  #onPrompt(): void {
    this.#hasEditor = true
    this.#keys.endPaste()
    this.#found.finishOutput(this.#text.cursorRow)
    for (const { typed, time, isSignalled } of this.#entered)
      if (!isSignalled && this.#ahead.length < waitingMax)
        this.#ahead.push({ line: undefined, typed, read: undefined, time, isSignalled: true })
    this.#entered = this.#entered.filter((entered) => entered.isSignalled)
    this.#startAnew()
    release(this.#line)
    this.#line = undefined
    this.#prompts.onWrite()
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
    const row = this.#text.rowEndedAt(this.#text.cursorRow)
    const text = this.#text.logicalText(row).trimEnd()
    return text.endsWith('^C') || text === this.#prompts.on(row)
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
    const row = this.#text.rowEndedAt(endRow)
    // Behind a prompt that nobody saw before, all there is: rather too much than nothing.
    const isKnown = this.#prompts.on(row) !== undefined
    const whole = isKnown ? this.#readOff(entered, endRow) : this.#text.logicalText(row)
    const text = whole.trim()
    const echoed = this.#echoed.shift()
    const isFirst =
      this.#prompts.isNoneKnown && shellPrompt.test(text.slice(0, -(echoed?.length ?? 0)).trimEnd())
    if (echoed !== undefined && (text === echoed || (isFirst && text.endsWith(echoed)))) return
    if (text !== '') this.#found.record(text, entered.time, endRow)
  }

  #take(entered: Entered, endRow: number): void {
    const { read, time } = entered
    const stands = this.#readOff(entered, endRow)
    release(entered.line)
    // What a gate read first; what came to stand there only then was run all the same.
    const others = read === undefined ? [] : this.#othersThan(read, stands, entered.typed, endRow)
    const [other, ...perhaps] = others
    for (const input of other !== undefined && read ? [read, ...perhaps] : perhaps)
      this.#found.tell(input, time)
    const text = (other ?? read ?? stands).trim()
    // A gate saw that there was none.
    if (read === '' && other === undefined) return
    if (text === '') return this.#found.tellUnread('not_shown', [entered])
    this.#found.record(text, time, endRow)
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
      const text = this.#ownOf(this.#prompts.behind(line, endRow, typed), typed)
      // what nobody edits is echoed as it was typed, or not at all
      if (typed !== undefined && !isSignalled && !text?.includes(typed)) return ''
      if (text !== undefined) return typed && text.endsWith(typed) && !typed.includes('\n') ? typed : text
      const filling = this.#filling(typed, this.#text.rowEndedAt(endRow))
      if (filling !== undefined) return filling
    }
    const row = this.#text.rowEndedAt(endRow)
    const behind = this.#prompts.behindLast(row, typed)
    if (behind !== undefined) return behind
    const text = this.#text.logicalText(row)
    return typed && text.trimEnd().endsWith(typed.trimEnd()) ? typed : ''
  }

  #reset(): void {
    release(this.#line)
    this.#line = undefined
    this.#typed = new Typed()
    this.#wasShown = false
    this.#read = undefined
    this.#isUnsure = false
  }

  /** Output was left out, or another screen is shown: positions mean nothing any more. */
  #forget(unread: Unread['unread']): void {
    this.#found.finishOutput()
    this.#found.tellUnread(unread, this.#entered.splice(0))
    const wasTyping = this.#isUnsure || this.#typed.text !== ''
    this.#reset()
    this.#isUnsure = wasTyping
  }
}
