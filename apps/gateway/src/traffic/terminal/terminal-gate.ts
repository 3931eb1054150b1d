import { setTimeout as sleep } from 'node:timers/promises'
import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import type { Language } from '@sallyport/contract/messages/language'
import { readingsBehind } from '../../policy/readings.ts'
import { refusal } from '../../policy/refusal.ts'
import type { Attempt, InputGate, NextInput, Verdict } from '../../session/gate.ts'
import type { PumpGate } from '../../session/pump.ts'
import { ownTurn } from '../../turns.ts'
import { ShellLines } from '../shell-lines.ts'
import type { Answers } from './answers.ts'
import type { TypedLine } from './screen/messages.ts'
import { runsCommand } from './program-commands.ts'
import type { Screen } from './screen/screen.ts'
import { type Taking, TakingKeys } from './taking-keys.ts'
import { isUncertain } from './width.ts'

const enter = 0x0d
/** Of the person: they give the line up themselves. */
const interrupt = 0x03
/** Ctrl-S and Ctrl-Q: the terminal keeps output to itself, and goes on with it; not where Ctrl-V has it be text. */
const stop = 0x13
const start = 0x11
/** What may be a line of more takes milliseconds to read, and has a turn of the event loop of its own for it. */
const quickChars = 8 * 1024
/** Has the next key be text, in each mode of readline and in a plain terminal. */
const quotedInsert = 0x16
/** What was typed before Enter is on the screen within this, or it is not shown at all. */
const echoWithinMs = 1000
const lookEveryMs = 20
/** Where only the screen can tell what the line is, it is believed when it stood still for so long behind the last answer of the target. */
const stillMs = 100
/** The screen answers within this, or its line cannot be read; so does the target, or it is believed to have all there is. */
const answerWithinMs = 3000

/** What comes at once is a paste, which may go on, from so many bytes on. */
const pasteLeast = 256
/** A paste is cut where so much of it has come, though a line ends there. */
const wholePiece = 16 * 1024
/** The next piece of a paste follows within this, and its end, which is shorter. */
const pieceWithinMs = 250
const endWithinMs = 50
/** A key is told in fewer bytes. */
const keysMost = 16

const commentSign = /^\s*#/

/** What is to be run, and who would run it. */
interface Held {
  attempt: Attempt
  by: 'shell' | 'program' | 'key'
}

/** When the target had all that went on before the line was held. */
interface Arrival {
  at: number | undefined
}

type Refused = Omit<Extract<Verdict, { kind: 'refuse' }>, 'kind'>

export interface TerminalGateOptions {
  gate: InputGate
  next: NextInput
  screen: Screen
  answers: Answers
  /** Ends when the target has all that went on, and what it sent before is on the screen; perhaps never. */
  roundTrip: () => Promise<void>
  language: Language
  onPassed: (attempt: Attempt, verdict: Extract<Verdict, { kind: 'pass' }>) => void
  onRefused: (attempt: Attempt, verdict: Refused, isFullScreen: boolean) => void
  /** The input has ended, and what it ended with was dropped: nobody will end the program. */
  onAbandoned: () => void
  /** Says that something was not carried out. */
  failed: string
}

/**
 * Holds Enter until the line is judged: as it stands on the screen, and as it was typed. All other keys pass at once, so that the line comes
 * to stand there. What is not shown (a password) is judged by what was typed, which is kept nowhere. A line of which neither is known is
 * refused, but in a full-screen program, whose keys mean what it likes.
 */
export class TerminalGate implements PumpGate {
  readonly #options: TerminalGateOptions
  readonly #lines = new ShellLines()
  readonly #keys = new TakingKeys()
  /** A line that was not let through, and may still stand there: the target did not show that it gave it up. */
  #left: Attempt | undefined
  /** It was interrupted since, and has gone once a prompt is seen. */
  #isLeftInterrupted = false
  /** Where the line was that was looked at last. */
  #place: TypedLine['place'] = 'line'
  /** The person had the terminal keep output to itself: what stands there tells nothing before more comes. */
  #isStopped = false
  /** The program shows nothing of the paste that goes on before it ends. */
  #isPasteKept = false
  /** When a piece of a paste was dropped along with a line that was not let through. */
  #pasteDroppedAt: number | undefined
  /** What came last was dropped along with a line that was not let through. */
  #isRestDropped = false

  constructor(options: TerminalGateOptions) {
    this.#options = options
  }

  take(chunk: Buffer): AsyncIterable<Buffer> | undefined {
    this.#isRestDropped = this.#isPasteDropped(chunk)
    if (this.#isRestDropped) return nothing()
    const takers = this.#keys.find(chunk)
    if (takers.length > 0) return this.#split(chunk, takers)
    this.#follow(chunk)
    return undefined
  }

  end(): undefined {
    if (this.#isRestDropped) this.#options.onAbandoned()
  }

  async *#split(chunk: Buffer, takers: ReturnType<TakingKeys['find']>): AsyncGenerator<Buffer> {
    let from = 0
    for (const { at, taking } of takers) {
      this.#follow(chunk.subarray(from, at))
      if (at > from) yield Buffer.from(chunk.subarray(from, at))
      from = at + 1
      const key = Buffer.of(chunk[at] ?? 0)
      if (taking === 'unsure') yield await this.#asText(key)
      // What was sent along with a refused line was meant to follow it.
      else if (!(yield* this.#enter(key, taking))) {
        this.#isRestDropped = from < chunk.byteLength
        const least = this.#isRestDropped ? pasteLeast : wholePiece
        if (chunk.byteLength >= least) this.#pasteDroppedAt = performance.now()
        return
      }
    }
    this.#follow(chunk.subarray(from))
    if (from < chunk.byteLength) yield Buffer.from(chunk.subarray(from))
  }

  /** A paste comes in several pieces, one soon after the other: what it ends with goes where its middle went. */
  #isPasteDropped(chunk: Buffer): boolean {
    // A person's own keys, or an end that runs nothing.
    const isKeys = chunk.byteLength < keysMost && !chunk.includes(enter)
    if (this.#pasteDroppedAt === undefined || isKeys) return false
    const now = performance.now()
    const isPiece = chunk.byteLength >= pasteLeast
    const isSoon = now - this.#pasteDroppedAt < (isPiece ? pieceWithinMs : endWithinMs)
    this.#pasteDroppedAt = isSoon && isPiece ? now : undefined
    return isSoon
  }

  /** What goes on to the target without being held. */
  #follow(keys: Buffer): void {
    if (keys.includes(interrupt)) {
      this.#isLeftInterrupted = true
      this.#lines.interrupted()
    }
    const stopping = keys.lastIndexOf(stop)
    if (stopping >= 0) this.#isStopped = true
    const isStart = (key: number, at: number) =>
      key === start && keys[at - 1] !== quotedInsert && at > stopping
    if (keys.some(isStart)) this.#isStopped = false
  }

  async #asText(key: Buffer): Promise<Buffer> {
    const line = await this.#look()
    return line?.place === 'program' ? key : Buffer.concat([Buffer.of(quotedInsert), key])
  }

  /** Whether it was let through. */
  async *#enter(key: Buffer, taking: Exclude<Taking, 'unsure'>): AsyncGenerator<Buffer, boolean> {
    const held = this.#withLeft(await this.#held(taking))
    if (!held) {
      this.#lines.dropped()
      yield key
      return true
    }
    const { attempt } = held
    const verdict = await this.#judge(held)
    if (verdict.kind === 'pass') {
      this.#lines.took()
      this.#left = undefined
      this.#options.onPassed(attempt, verdict)
      yield key
      return true
    }
    this.#lines.dropped()
    if (verdict.kind === 'refuse') {
      yield* this.#refuse(attempt, verdict)
      return false
    }
    return yield* this.#replace(attempt, verdict.text)
  }

  async *#refuse(attempt: Attempt, verdict: Extract<Verdict, { kind: 'refuse' }>): AsyncGenerator<Buffer> {
    const { gate } = this.#options
    // The prompt is to stand below the sentence.
    if (gate.discard.hasNewPrompt) {
      this.#tell(attempt, verdict)
      yield* this.#discard(attempt)
      return
    }
    const isGivenUp = yield* this.#discard(attempt)
    this.#tell(attempt, verdict)
    // On the line that is empty now: it has the prompt written below.
    if (isGivenUp) yield Buffer.of(enter)
  }

  /** Whether something else was run. */
  async *#replace(attempt: Attempt, text: string): AsyncGenerator<Buffer, boolean> {
    const { failed } = this.#options
    const isGivenUp = yield* this.#discard(attempt)
    if (isGivenUp) yield Buffer.from([...Buffer.from(text), enter])
    else this.#tell(attempt, { sentence: failed })
    return isGivenUp
  }

  #tell(attempt: Attempt, verdict: Refused): void {
    this.#options.onRefused(attempt, verdict, this.#place !== 'line')
  }

  /** Has the target give the line up; whether it did. */
  async *#discard(attempt: Attempt): AsyncGenerator<Buffer, boolean> {
    const keys = Buffer.from(this.#options.gate.discard.keys)
    this.#isLeftInterrupted = keys.includes(interrupt)
    yield keys
    const isGivenUp = await this.#givenUp()
    this.#left = isGivenUp ? undefined : (this.#left ?? attempt)
    return isGivenUp
  }

  /** What may still stand there is judged with what was typed behind it. */
  #withLeft(held: Held | undefined): Held | undefined {
    const left = this.#left
    if (!left) return held
    if (!held) return { attempt: left, by: 'shell' }
    const readings = readingsBehind(left.readings, held.attempt.readings)
    return { ...held, attempt: { ...held.attempt, readings } }
  }

  async #judge({ attempt, by }: Held): Promise<Verdict> {
    const { gate, next, language } = this.#options
    if (by === 'key') return refusal(filterMessage(language, 'key_unread'))
    if (attempt.readings.some(({ length }) => length > quickChars)) await ownTurn()
    const isFetched = by === 'shell' && this.#lines.takesFromHistory
    return isFetched ? refusal(filterMessage(language, 'history_unread')) : await gate.judge(attempt, next)
  }

  /** Whether the line is gone: what comes too soon after an interrupt, a shell may take for a part of it. */
  async #givenUp(): Promise<boolean> {
    const begun = performance.now()
    let goneSince: number | undefined
    while (performance.now() - begun < echoWithinMs) {
      const line = await this.#look()
      if (!line?.isPrompt) goneSince = undefined
      else if (performance.now() - (goneSince ??= performance.now()) >= stillMs) return true
      await sleep(lookEveryMs)
    }
    return false
  }

  async #look(): Promise<TypedLine | undefined> {
    const overdue = sleep(answerWithinMs, undefined, { ref: false })
    const line = await Promise.race([this.#options.screen.line(), overdue])
    if (this.#isLeftInterrupted && line?.isGivenUp) this.#left = undefined
    if (line) this.#place = line.place
    return line
  }

  async #held(taking: Exclude<Taking, 'unsure'>): Promise<Held | undefined> {
    if (taking === 'unread') return await this.#unread()
    const held = await this.#line()
    if (taking === 'line' || !held) return held
    const { readings } = held.attempt
    const uncommented = readings.map((line) => line.replace(commentSign, ''))
    return { ...held, attempt: { ...held.attempt, readings: [...new Set([...readings, ...uncommented])] } }
  }

  async #unread(): Promise<Held | undefined> {
    const line = await this.#look()
    if (line?.place === 'program') return undefined
    this.#lines.stands(line ?? {})
    return { attempt: this.#lines.attempt(line?.shown?.trim() || undefined), by: 'key' }
  }

  /** The line, once all that was typed can be seen; undefined: there is none. */
  async #line(): Promise<Held | undefined> {
    let last: string | undefined
    let stillSince = performance.now()
    let arrival: Arrival | undefined
    for (;;) {
      // What comes from here on, the answer to this look may not show.
      const now = performance.now()
      const isOver = this.#isOver
      const line = await this.#look()
      if (line && charsOf(line) > quickChars) await ownTurn()
      this.#lines.stands(line ?? {})
      if (!line) return { attempt: this.#lines.attempt(undefined), by: 'shell' }
      const { shown } = line
      if (shown !== last) stillSince = now
      const arrived = arrival?.at
      const since = Math.max(stillSince, arrived ?? now, this.#options.answers.wholeAtMs)
      const isStill = shown === last && now - since >= stillMs && isOver
      const read = this.#read(line, isStill, arrived !== undefined && now - arrived >= echoWithinMs)
      if (read) return read.held
      last = shown
      arrival ??= this.#arrival()
      await sleep(lookEveryMs)
    }
  }

  /** @returns undefined: some of it may be still to come */
  #read(line: TypedLine, isStill: boolean, isOverdue: boolean): { held: Held | undefined } | undefined {
    const { shown, typed, unerased, sinceCompletion = '', place, besides: around = [], pasted } = line
    /** The screen tells what became of the line. */
    const isTold = isStill && !line.isDistorted
    const hidden = (...readings: (string | undefined)[]): { held: Held } => ({
      held: { attempt: this.#lines.attempt(undefined, ...readings), by: 'shell' },
    })
    if (place === 'program')
      return !(line.isEdited || line.isMoving) || isStill || isOverdue
        ? { held: this.#escape(line) }
        : undefined
    this.#isPasteKept = pasted !== undefined && (this.#isPasteKept || isStill)
    if (this.#isPasteKept) return hidden(typed ?? pasted, pasted)
    // What was erased is gone where the screen said so since: the key may be none that erases.
    const isCertain = unerased === undefined || (isTold && this.#options.answers.isAnswered)
    const isNothing = shown === '' && typed === ''
    const isEmptied = line.isEmptied && isTold && this.#options.answers.isAnswered
    if ((isNothing && unerased === undefined) || isEmptied) return { held: undefined }
    if (isNothing && line.isGivenUp && isStill) return hidden(unerased)
    if (isCertain && typed && shown?.trimEnd().endsWith(typed.trimEnd()))
      return { held: this.#seen(shown, typed, around) }
    // More than was typed, by history or completion; never less, for that is still on its way.
    const isComplete = shown?.includes(typed ?? '') && shown.trimEnd().endsWith(sinceCompletion.trimEnd())
    if (isTold && isComplete && shown?.trim() !== '') {
      // The screen tells where its characters stand, and that no shell has to agree with.
      const isReadable = typed !== undefined || !isUncertain(shown ?? '')
      return isReadable ? { held: this.#seen(shown ?? '', typed, around) } : hidden()
    }
    // The keys may mean something else to the target than they say: what stands there is what may run, too.
    if (!isOverdue) return undefined
    return typed === undefined ? hidden() : hidden(typed, shown?.trim() || undefined, unerased, ...around)
  }

  #arrival(): Arrival {
    const arrival: Arrival = { at: undefined }
    const noted = () => (arrival.at = performance.now())
    const overdue = sleep(answerWithinMs, undefined, { ref: false })
    void Promise.race([this.#options.roundTrip(), overdue]).then(noted, noted)
    return arrival
  }

  get #isOver(): boolean {
    return !this.#isStopped && this.#options.answers.isOver
  }

  /** A line of blanks is none. */
  #seen(shown: string, typed: string | undefined, around: readonly string[] = []): Held | undefined {
    const text = shown.trim()
    return text === '' ? undefined : { attempt: this.#lines.attempt(text, typed, ...around), by: 'shell' }
  }

  #escape({ typed, besides = [], perhaps = [] }: TypedLine): Held | undefined {
    const all = [typed, ...besides].flatMap((text) => text?.trim() ?? [])
    const [found, ...others] = all.filter(runsCommand)
    if (perhaps.length > 0) {
      // People see what stands there alone: keys may be a password.
      const [row, ...rows] = perhaps.flatMap((text) => text.trim() || [])
      return { attempt: this.#lines.attempt(row, typed, ...rows, found, ...others), by: 'program' }
    }
    return found === undefined ? undefined : { attempt: this.#lines.attempt(found, ...others), by: 'program' }
  }
}

const charsOf = ({ shown = '', besides = [], perhaps = [] }: TypedLine): number =>
  [...besides, ...perhaps].reduce((chars, { length }) => chars + length, shown.length)

async function* nothing(): AsyncGenerator<Buffer> {}
