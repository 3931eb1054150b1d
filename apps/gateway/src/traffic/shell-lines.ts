import { isContinued, readingsOf } from '../policy/readings.ts'
import type { Attempt } from '../session/gate.ts'

const carriedMax = 64 * 1024

/** What a shell is given line by line: where a line ends with a backslash, the next one is read as its end, too. */
export class ShellLines {
  #carried = ''
  /** The same as they were given. */
  #before = ''

  /** `shown`: as it stands on the screen, or in a script. `typed`: the keys of it, where those are known. */
  attempt(shown: string | undefined, typed?: string): Attempt {
    const lines = [shown, typed].flatMap((line) => (line === undefined ? [] : [line, this.#carried + line]))
    return {
      text: shown,
      before: this.#before,
      readings: [...new Set(lines.flatMap((line) => readingsOf(line)))],
    }
  }

  /** The shell has got the line. */
  took(line: string): void {
    const goesOn = isContinued(line)
    this.#carried = goesOn ? (this.#carried + line).slice(0, -1).slice(-carriedMax) : ''
    this.#before = goesOn ? `${this.#before}${line}\n`.slice(-carriedMax) : ''
  }
}
