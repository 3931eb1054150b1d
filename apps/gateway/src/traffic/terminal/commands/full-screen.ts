import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import type { Command, TypedLine, Unread } from '../screen/messages.ts'
import { type Key, type Pasted, unseenOf } from './keys.ts'
import { type Given, Moment } from './moment.ts'
import type { Pane } from './pane.ts'
import { question, shellPrompt } from './prompts.ts'
import type { ScreenText } from './screen-text.ts'
import { Stood } from './stood.ts'
import { Typed, typedMax } from './typed.ts'

const enteredMax = 1000
const aheadMs = 2000

/** A prompt with something of a line behind it. */
const begunBehind = /^(.*?[$#%>❯]) (?=.*\S)/u
const promptsMax = 20
const panesMax = 20
/** How a key of the program is pressed: one that says so, and the key itself. */
const programKeys = 2
/** A key that nobody took, as a terminal shows it. */
const keyShown = /\^[@-_?]/
/** Have programs run commands, or ask for them. */
const escapeSign = /[:!|#&]/

/** A line as it was on the screen when keys came last. */
interface Seen {
  row: number
  /** Of the pane, in that row. */
  text: string
  isEmpty: boolean
}

interface Line {
  /** What stood before the cursor at the first key, as far as it may be a prompt. */
  prompt: string
  /** It is a shell's. */
  isShell: boolean
  /** It may be one, or the text of an editor: what is painted below it may be of another pane, where borders are not known as such. */
  isPerhapsShell?: boolean
  /** What stood in the row before the first key was pressed, where it ends like a prompt and was none so far. */
  unproven?: string
  pane: Pane
  seen: Seen
  /** The first keys pressed of it, each letter one. */
  pressed: Key[]
  /** Its pane has another width or is elsewhere since: nobody knows what of it stands where. */
  isLost: boolean
  /** What stood above it then. */
  above: string
  /** The first rows of what has scrolled since. */
  scrolled: Set<number>
  typed: Typed
  /** At the last interrupt. */
  stood?: Stood
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
  /** Of what has programs run commands, something was typed and edited since. */
  #isEscapeEdited = false
  /** Prompts of shells, those seen last at the end. */
  #prompts: string[] = []
  /** What was typed of the line before the paste that goes on. */
  #typedBeforePaste: string | undefined
  /** A line begun before then may be typed ahead for a shell. */
  #aheadUntilMs = 0
  /** No line was entered since the program showed its screen. */
  #isFresh = true
  /** Where the cursor went from a line that may stand elsewhere since. */
  #left: Pane[] = []
  /** Prompts at which a line was entered that was seen. */
  #proven = new Set<string>()
  /** What a shell was given last. */
  #running: Given | undefined
  #moment: Moment | undefined

  constructor(text: ScreenText, onFound: (found: Command | Unread) => void) {
    this.#text = text
    this.#onFound = onFound
    text.onChange(() => (this.#moment = undefined))
    text.onWidth(() => {
      if (this.#line?.isShell && !this.#line.typed.isUntouched) this.#line.isLost = true
    })
    text.onScroll((fromRow) => this.#line?.scrolled.add(fromRow))
  }

  get #now(): Moment {
    return (this.#moment ??= new Moment(this.#text))
  }

  /** The program shows its screen; so many lines were typed ahead for it, and perhaps a part of one. */
  open(lines: number, isTyping: boolean): void {
    this.#unreadLines = lines
    this.#isUnsure = isTyping
    this.#isFresh = true
    this.#left = []
    this.#lastText = ''
    this.#running = undefined
    this.#since = Date.now()
    this.#moment = undefined
  }

  onKeys(keys: Key[]): void {
    this.#lookForOther()
    if (this.#line) this.#look(this.#line)
    else this.#settle(this.#now.prompt)
    for (const key of keys) {
      if (key.kind === 'paste') {
        this.#typedBeforePaste = this.#typed
        continue
      }
      if (key.kind === 'redraw' && (!this.#line || this.#line.typed.isUntouched)) continue
      this.#follow(key)
      const line = (this.#line ??= this.#begun())
      if (key.kind === 'enter') this.#enter(line)
      else if (key.kind === 'interrupt' && !this.#isSeen(line)) {
        this.#line = undefined
        // It was this one, or none that stands here.
        if (line.isLost) this.#left = this.#left.filter((pane) => pane.overlaps(line.pane))
      } else {
        if (line.pressed.length <= programKeys) line.pressed.push(...each(key))
        if (key.kind === 'interrupt') line.stood = new Stood(this.#text)
        // A key that moves the cursor in a shell may be one of the program's (tmux: Ctrl-B).
        line.typed.type(key.kind === 'edit' ? { kind: 'edit' } : key)
      }
    }
  }

  /** A line whose first key is pressed now, or was pressed when nobody looked. */
  #begun(): Line {
    const { pane, prompt } = this.#now
    const { isPainted } = pane
    const typed = new Typed()
    const above = pane.above(this.#text.cursorRow)
    const stands = this.#now.standing(prompt, true) !== ''
    const own = {
      pane,
      typed,
      above,
      seen: { row: this.#text.cursorRow, text: '', isEmpty: !stands },
      pressed: [],
      scrolled: new Set<number>(),
      shown: '',
      time: Date.now(),
      isLost: false,
    }
    const isAhead = !isPainted && this.#isRunning
    if (isPainted && !pane.isInMode && this.#isBack(prompt)) {
      typed.lose()
      return { ...own, prompt, isShell: true, isAhead, isLost: true }
    }
    if (shellPrompt.test(prompt)) {
      const isShell = !isPainted || this.#prompts.includes(prompt)
      // In an editor it is the text that is written.
      if (!isShell) return { ...own, prompt: '', isShell, isAhead, isPerhapsShell: !pane.isInMode }
      const unproven = this.#unprovenIn(prompt)
      if (unproven === undefined) this.#note(prompt)
      // It was typed when nobody looked, and left with the cursor at its beginning.
      if (stands) typed.lose()
      return { ...own, prompt, isShell, isAhead, ...(unproven !== undefined && { unproven }) }
    }
    const before = this.#prompts.find((one) => prompt.startsWith(one))
    const known = before ?? begunBehind.exec(prompt)?.[1]
    const isShell = known !== undefined && !isPainted && !isAhead
    if (isShell) typed.lose()
    const isPerhapsShell =
      !pane.isInMode && (isPainted ? known !== undefined : prompt !== '' && !this.#now.isInPager)
    return { ...own, prompt: isShell ? known : prompt, isShell, isAhead, isPerhapsShell }
  }

  /** It may be a line, left and found again, whose end looks like a prompt: something stands behind another one, or goes on from the row above. */
  #unprovenIn(prompt: string): string | undefined {
    if (this.#proven.has(prompt)) return undefined
    if (this.#now.isWrapped) return this.#now.wrapped[0]?.trim()
    const before = this.#prompts.find((one) => one !== prompt && prompt.startsWith(`${one} `))
    const begun = before ?? begunBehind.exec(prompt)?.[1]
    return begun === undefined ? undefined : prompt.slice(begun.length).trim()
  }

  /** What stands there, over several rows, may be a line from before this pane, or the screen, was left. */
  #isBack(prompt: string): boolean {
    const isElsewhere = this.#left.some((pane) => !pane.overlaps(this.#now.pane))
    return isElsewhere || (this.#isFresh && this.#prompts.some((one) => prompt.startsWith(one)))
  }

  /** The line that was typed has gone, or is in another pane, and another may stand at the cursor. */
  #lookForOther(): void {
    const line = this.#line
    if (!line) return
    if (line.isLost) this.#line = this.#takenAway(line) ?? line
    else if (
      isProgramKey(line) &&
      line.pressed.length === programKeys &&
      this.#now.standing(line.prompt, true) === ''
    ) {
      const begun = this.#begun()
      // Or a letter that nobody shows.
      this.#line = begun.typed.text === '' ? { ...begun, typed: line.typed.afresh() } : begun
    } else if (line.pane.isBeside(this.#now.pane)) this.#goToOther(line)
    else this.#line = this.#takenAway(line) ?? this.#afterProgram(line) ?? line
  }

  /** The cursor is in other columns than the line was begun in. */
  #goToOther(line: Line): void {
    const begun = this.#begun()
    const { pane } = begun
    // A program that paints has the cursor wherever it paints.
    const isMoved = begun.isAhead && !line.isShell && line.typed.text === undefined
    if (!begun.isShell && !pane.isPainted && !isMoved) return
    if (isMoved) begun.typed.lose()
    if (line.isShell && !line.typed.isUntouched && !isProgramKey(line)) {
      const isNew = begun.isShell && begun.seen.isEmpty
      if (!isNew && !this.#isLeft(line)) {
        line.isLost = true
        return
      }
      this.#left = [...this.#left, pane].slice(-panesMax)
      begun.typed.lose()
    }
    // One letter had the program change panes; of more nobody knows where it went.
    if (this.#lastText.length > 1) begun.typed.lose()
    this.#line = begun
  }

  #look(line: Line): void {
    const { pane } = this.#now
    if (!line.isShell || line.pane.isBeside(pane)) return
    const { cursorRow: row } = this.#text
    const isEmpty = this.#now.standing(line.prompt, line.typed.text === undefined) === ''
    line.seen = { row, text: pane.columns(row).trimEnd(), isEmpty }
  }

  /** A shell's whose prompt stands at the cursor or above it. */
  #isSeen({ isShell, isLost, prompt }: Line): boolean {
    return isShell && !isLost && this.#now.showsPrompt(prompt)
  }

  /** It stands in another pane than the cursor is in, as it did. */
  #isLeft({ pane, seen }: Line): boolean {
    return !pane.overlaps(this.#now.pane) && pane.columnsNow(seen.row).startsWith(seen.text)
  }

  /** By an interrupt, where a prompt stands behind which nothing but what was typed since does. @returns the line there */
  #takenAway({ typed, isShell, prompt, stood }: Line): Line | undefined {
    if (!typed.isInDoubt) return undefined
    const now = typed.before(this.#now.upToCursor)
    if (now === undefined || !shellPrompt.test(now)) return undefined
    if (!(isShell && now === prompt) && !stood?.isBefore(now)) return undefined
    return this.#begunAt(now, typed.sinceInterrupt())
  }

  /** A program that took keys has ended, and a shell asks for a line. @returns that */
  #afterProgram({ typed, isShell, isAhead, prompt: before }: Line): Line | undefined {
    const { upToCursor, pane } = this.#now
    const mayStand = isShell && (typed.text === undefined || upToCursor.startsWith(before))
    if (typed.isInDoubt || mayStand || pane.isPainted) return undefined
    const { prompt, left } = typed.behindOthers(upToCursor, before)
    const isKnown = this.#prompts.some((one) => likeOf(one) === likeOf(prompt))
    // Anything else may be what was typed, or what the shell put there for keys it was given ahead.
    const isNew =
      shellPrompt.test(prompt) && !isAhead && !typed.hasTyped(prompt.slice(-1)) && this.#now.isAtEnd
    return isKnown || isNew
      ? this.#begunAt(upToCursor.slice(0, upToCursor.length - left.length).trimEnd(), typed.elsewhere(left))
      : undefined
  }

  #begunAt(prompt: string, typed: Typed): Line {
    this.#note(prompt)
    return { ...this.#begun(), prompt, isShell: true, typed }
  }

  #note(prompt: string): void {
    this.#prompts = [...this.#prompts.filter((one) => one !== prompt), prompt].slice(-promptsMax)
  }

  #follow(key: Key): void {
    if (key.kind === 'enter' || key.kind === 'interrupt') this.#isUnsure = this.#isEscapeEdited = false
    else if (key.kind !== 'text') this.#isEscapeEdited ||= escapeSign.test(this.#lastText)
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
    this.#lookForOther()
    const line = this.#line ?? this.#begun()
    const { isShell, isAhead, prompt } = line
    const isGivenUp = !line.typed.isInDoubt
    // The cursor went where nothing looks like a prompt.
    const isBegun = !line.typed.isUntouched && !isProgramKey(line)
    if (isShell && !isBegun && line.pane.isBeside(this.#now.pane))
      return this.#unseen(this.#now.upToCursor.trim(), isGivenUp)
    const typed = this.#isUnsure ? undefined : line.typed.text
    const unerased = typed === undefined ? undefined : line.typed.unerased
    if (isShell && !this.#isChoice(line)) {
      const shown = this.#now.standing(prompt, typed === undefined)
      if (line.unproven !== undefined && shown === '' && typed === '' && unerased === undefined)
        return this.#unseen(line.unproven, isGivenUp)
      const pasted = unseenOf(paste, this.#typedBeforePaste, typed, shown)
      const whole = line.unproven === undefined ? [] : this.#now.wrapped
      const besides = [...this.#around(line, typed), ...line.typed.perhaps, ...whole]
      const isPrompt = shown === ''
      const isEmptied = line.typed.isUnclear && this.#now.prompt === prompt
      const isDistorted = line.isLost || (typed === undefined && this.#mayBeCutShort(line))
      const read = { shown, typed, unerased, pasted, besides, prompt, isPrompt, isEmptied, isGivenUp }
      return { ...read, isDistorted, place: 'full_screen' }
    }
    const shown = this.#text.logicalText(this.#text.cursorRow).trim()
    const isAnswer = question.test(shown)
    if (isAhead) {
      const besides = [...this.#around(line, typed), ...this.#standingBefore(line)]
      // What stands there are keys as the terminal shows them: what they do to the line only the shell will know.
      const isDistorted = typed === undefined && !this.#isOfProgram(line)
      const read = { shown, typed, unerased, besides, isAnswer, isPrompt: false, isGivenUp, isDistorted }
      return { ...read, place: 'full_screen' }
    }
    return {
      shown,
      typed: this.#lastText,
      unerased: undefined,
      besides: this.#now.escapes(escapeSign),
      perhaps: line.isPerhapsShell || this.#now.isAskedByMultiplexer ? this.#now.wrapped : [],
      isEdited: this.#isEscapeEdited,
      isMoving: line.typed.text === undefined,
      place: 'program',
      isPrompt: false,
      isGivenUp,
    }
  }

  /** A line that nobody was seen to type. */
  #unseen(shown: string, isGivenUp: boolean): TypedLine {
    const typed = shown === '' ? '' : undefined
    const read = { shown, typed, unerased: undefined, besides: this.#now.wrapped }
    return { ...read, isPrompt: false, isGivenUp, place: 'full_screen' }
  }

  /** Where something stood there when the first key was pressed, it may be the end of a line that was left and found again. */
  #standingBefore({ prompt, typed }: Line): string[] {
    return prompt === '' || typed.text === undefined ? [] : this.#now.all(this.#text.top, this.#text.bottom)
  }

  /** One of a list is chosen with arrows, at what looks like a prompt and was none so far (fzf): nothing was typed, and nothing stands there. */
  #isChoice({ prompt, typed, isLost }: Line): boolean {
    if (isLost || this.#isUnsure || typed.text !== undefined || typed.hasText) return false
    return !this.#proven.has(prompt) && this.#now.isAtEnd && this.#now.prompt === prompt
  }

  /** What was started edits it, at a prompt of its own: nothing but what was typed stands there, and no key as the terminal shows it. */
  #isOfProgram({ prompt, typed }: Line): boolean {
    const standing = prompt === '' ? '' : this.#now.standing(prompt, true)
    // A pager's keys leave nothing there.
    return standing === '' ? prompt !== '' && !typed.hasText : !keyShown.test(standing)
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
    this.#isFresh = false
    const { isShell } = line
    if (isShell || line.isAhead) this.#aheadUntilMs = performance.now() + aheadMs
    line.shown = this.#now.standing(line.prompt, line.typed.text === undefined)
    if (isShell && line.shown !== '') {
      this.#running = line
      if (this.#proven.size >= promptsMax) this.#proven.clear()
      this.#proven.add(line.prompt)
    }
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
      if (line.typed.text === '' && line.shown === '' && line.unproven === undefined) continue
      const isShell = line.isShell || (line.prompt !== '' && line.prompt === nextPrompt)
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
  #around(line: Line, typed: string | undefined): string[] {
    if (typed !== undefined) return []
    return this.#now.all(this.#firstRow(line) ?? this.#text.top, this.#text.bottom)
  }

  /** Below the row it was begun below; undefined where that is not in view. */
  #firstRow({ above }: Line): number | undefined {
    const { cursorRow, top } = this.#text
    if (above === '') return undefined
    let row = this.#text.logicalStart(cursorRow)
    while (row > top && this.#now.pane.above(row) !== above) row--
    return row > top ? row : undefined
  }

  /** Some of its rows may have left the view: the first ones, or where a part of the screen scrolls, those in the middle. */
  #mayBeCutShort(line: Line): boolean {
    const { cursorRow } = this.#text
    const first = this.#firstRow(line)
    const last = cursorRow + this.#now.pane.rowsBelow(cursorRow).length
    return [...line.scrolled].some((row) => row <= last && (first === undefined || row >= first))
  }
}

const each = (key: Key): Key[] =>
  key.kind === 'text'
    ? Array.from(key.text.slice(0, programKeys + 1), (text) => ({ kind: 'text', text }))
    : [key]

/** At a prompt with nothing behind it: what has the program do something else (tmux: Ctrl-B c). To a shell the first one does nothing there. */
function isProgramKey({ isShell, pressed, seen }: Line): boolean {
  const [first] = pressed
  const isFirst = first?.kind === 'edit' && first.isMove === true
  return isShell && isFirst && pressed.length <= programKeys && seen.isEmpty
}

/** Prompts may tell the time, or count. */
const likeOf = (prompt: string) => prompt.replaceAll(/\d+/g, '0')
