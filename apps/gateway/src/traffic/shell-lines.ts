import {
  canBeFollowed,
  fewOf,
  isQuoteOpen,
  leftOpen,
  looksLikeCall,
  nothingOpen,
  takesFromHistory,
  unknown,
} from '../policy/history-calls.ts'
import { isContinued, readingsOfAll } from '../policy/readings.ts'
import type { Attempt } from '../session/gate.ts'

/** What goes on over more lines than this holds is refused. */
const carriedMax = 16 * 1024
/** What shells have signs of their own for: at another prompt they may be in the middle of something. */
const firstPrompt = /[$#%❯]\s*$/u
/** At the second one they are themselves, as long as nobody gave them others. */
const secondPrompt = /^[\w ]*>\s*$/

/** Where a line stands. */
export interface Place {
  /** What stands before it; undefined: nothing, or nobody can tell. */
  prompt?: string | undefined
  /** It is asked for by a program a shell runs. */
  isAnswer?: boolean | undefined
}

/** What a shell is given line by line: where a line ends with a backslash, the next one is read as its end, too. */
export class ShellLines {
  /** What the next line may be the end of: the lines before it as they were seen, and as they were typed. */
  #carried = ['', '']
  /** The same as they were given. */
  #before = ''
  /** What the last attempt was about. */
  #text: string | undefined
  #typed: string | undefined
  #besides: (string | undefined)[] = []
  #place: Place = {}
  /** What the shell may be in the middle of. */
  #open = new Set([nothingOpen])
  /** The same where the lines begin that go on in the next one. */
  #openBefore = this.#open
  /** The prompt of the last line was a first one. */
  #wasFirst = false
  /** The second prompt of the shell looks like its first. */
  #isFirstUnsure = false

  /** Where the next line stands: at its first prompt a shell is in the middle of nothing. */
  stands(place: Place): void {
    this.#place = place
    if (!this.#isFirst) return
    const isSurelyOpen = [...this.#open].every(isQuoteOpen)
    this.#isFirstUnsure ||= isSurelyOpen && this.#wasFirst
    if (this.#isFirstUnsure) this.#open.add(nothingOpen)
    else this.#open = new Set([nothingOpen])
  }

  get #isFirst(): boolean {
    return firstPrompt.test(this.#place.prompt ?? '')
  }

  /** `text`: as it stands on the screen, or in a script; as it was `typed`, and what it may be `besides`, people may not see. */
  attempt(text: string | undefined, typed?: string, ...besides: (string | undefined)[]): Attempt {
    this.#text = text
    this.#typed = typed
    this.#besides = besides
    const isLost = this.#carried.some((before) => before.length > carriedMax)
    return { text, before: this.#before, readings: isLost ? [] : readingsOfAll(this.#whole()) }
  }

  /** What the last attempt may be, each line of several too. */
  *#whole(): Generator<string> {
    for (const line of [this.#text, this.#typed, ...this.#besides])
      if (line !== undefined)
        for (const before of new Set(['', ...this.#carried])) yield* linesOf(before + line)
  }

  /** Whether an interactive shell puts something of its history into the line of the last attempt. */
  get takesFromHistory(): boolean {
    if (this.#text === undefined && this.#place.isAnswer) return false
    const lines = this.#lines
    return canBeFollowed(lines, this.#open)
      ? lines.some((line) => takesFromHistory(line, this.#open))
      : lines.some(looksLikeCall)
  }

  /** What the last attempt may be to the shell. */
  get #lines(): string[] {
    const lines = this.#text === undefined ? [this.#typed, ...this.#besides] : [this.#text]
    return lines.flatMap((line) => line ?? [])
  }

  /** The shell has got the line of the last attempt. */
  took(): void {
    const lines = this.#lines
    const [carried = ''] = this.#carried
    if (carried === '') this.#openBefore = this.#open
    // A backslash at the end of a comment or in quotes has nothing go on.
    const whole = carried === '' ? [] : lines.map((line) => carried + line)
    const isFollowed = canBeFollowed(lines, this.#open) && canBeFollowed(whole, this.#openBefore)
    const left = isFollowed
      ? [
          ...lines.flatMap((line) => [...leftOpen(line, this.#open)]),
          ...whole.flatMap((line) => [...leftOpen(line, this.#openBefore)]),
        ]
      : unknown
    const isShells = this.#isFirst || secondPrompt.test(this.#place.prompt ?? '')
    // Elsewhere it may have been read by a program.
    const isSure = this.#text !== undefined && isShells
    this.#open = fewOf(new Set(isSure ? left : [...this.#open, ...(lines.length === 0 ? unknown : left)]))
    this.#wasFirst = this.#isFirst
    const text = this.#text
    const typed = this.#typed
    const [likely] = this.#besides
    const taken = [text ?? likely ?? typed ?? '', typed ?? text ?? '']
    this.#carried = this.#carried.map((before, at) => carriedBy(before, taken[at] ?? ''))
    const goesOn = text !== undefined && isContinued(withoutNul(text))
    this.#before = goesOn ? `${this.#before}${text}\n`.slice(-carriedMax) : ''
  }

  /** The shell has got another line, or none. */
  dropped(): void {
    this.#carried = ['', '']
    this.#before = ''
    this.interrupted()
  }

  /** It may have given up what it was in the middle of. */
  interrupted(): void {
    this.#open.add(nothingOpen)
  }
}

/** Several lines at once, from the history or a paste: each of them, too, and what they are where they only looked like several. */
const linesOf = (text: string) =>
  text.includes('\n') ? [text, ...text.split('\n'), text.replaceAll('\n', '')] : [text]

/** Shells drop it, and a terminal shows it as `^@`. */
function withoutNul(line: string): string {
  let end = line.length
  for (let nul = nulAt(line, end); nul > 0; nul = nulAt(line, end)) end -= nul
  return line.slice(0, end).replaceAll('\0', '')
}

const nulAt = (line: string, end: number) => (line.endsWith('^@', end) ? 2 : line.endsWith('\0', end) ? 1 : 0)

function carriedBy(before: string, line: string): string {
  const kept = withoutNul(line)
  return isContinued(kept) ? (before + kept).slice(0, -1).slice(-carriedMax - 1) : ''
}
