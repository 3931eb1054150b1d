import { isContinued, type Quote, quoteBehind, readingsOf, takesFromHistory } from '../policy/readings.ts'
import type { Attempt } from '../session/gate.ts'

const carriedMax = 64 * 1024
/** Shells drop it, and a terminal shows it as `^@`. */
const nul = /\0|(?:\^@)+$/g

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
  /** What the next line may begin in. */
  #quotes = new Set<Quote>([''])

  /** `text`: as it stands on the screen, or in a script; as it was `typed`, and what it may be `besides`, people may not see. */
  attempt(text: string | undefined, typed?: string, ...besides: (string | undefined)[]): Attempt {
    this.#text = text
    this.#typed = typed
    this.#besides = besides
    const lines = [text, typed, ...besides].flatMap((line) =>
      line === undefined ? [] : [line, ...this.#carried.map((before) => before + line)],
    )
    const readings = [...new Set(lines.flatMap(linesOf).flatMap((line) => readingsOf(line)))]
    return { text, before: this.#before, readings }
  }

  /** Whether an interactive shell puts something of its history into the next line. */
  takesFromHistory(text: string): boolean {
    return takesFromHistory(text, this.#quotes)
  }

  /** The shell has got the line of the last attempt. */
  took(): void {
    const seen = this.#text
    const left = [...this.#quotes].map((quote) => (seen === undefined ? quotes : [quoteBehind(seen, quote)]))
    this.#quotes = new Set(left.flat())
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
    this.#quotes.add('')
  }
}

const quotes: readonly Quote[] = ['', "'", '"']

/** Several lines at once, from the history or a paste: each of them, too, and what they are where they only looked like several. */
const linesOf = (text: string) =>
  text.includes('\n') ? [text, ...text.split('\n'), text.replaceAll('\n', '')] : [text]

const withoutNul = (line: string) => line.replaceAll(nul, '')

function carriedBy(before: string, line: string): string {
  const kept = withoutNul(line)
  return isContinued(kept) ? (before + kept).slice(0, -1).slice(-carriedMax) : ''
}
