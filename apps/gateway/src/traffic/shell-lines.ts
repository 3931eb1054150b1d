import { isContinued, readingsOf } from '../policy/readings.ts'
import type { Attempt } from '../session/gate.ts'

const carriedMax = 64 * 1024

/** What a shell is given line by line: where a line ends with a backslash, the next one is read as its end, too. */
export class ShellLines {
  #carried = ''
  /** The same as they were given. */
  #before = ''

  /** `text`: as it stands on the screen, or in a script; `others`: what it may be besides, and people may not see. */
  attempt(text: string | undefined, ...others: (string | undefined)[]): Attempt {
    const lines = [text, ...others].flatMap((line) =>
      line === undefined ? [] : [line, this.#carried + line],
    )
    const readings = [...new Set(lines.flatMap((line) => readingsOf(line)))]
    return { text, before: this.#before, readings }
  }

  /** The shell has got the line. */
  took(line: string): void {
    const goesOn = isContinued(line)
    this.#carried = goesOn ? (this.#carried + line).slice(0, -1).slice(-carriedMax) : ''
    this.#before = goesOn ? `${this.#before}${line}\n`.slice(-carriedMax) : ''
  }
}
