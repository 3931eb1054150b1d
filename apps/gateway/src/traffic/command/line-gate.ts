import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import type { Language } from '@sallyport/contract/messages/language'
import { refusal } from '../../policy/refusal.ts'
import type { InputGate, RiskLevel, Verdict } from '../../session/gate.ts'
import type { PumpGate } from '../../session/pump.ts'
import { ShellLines } from '../shell-lines.ts'
import { turnsHistoryOn } from './shells.ts'

/** A longer line is held no further: nobody can tell what it is. */
const lineMaxBytes = 64 * 1024
const lineFeed = 0x0a

export interface LineGateOptions {
  gate: InputGate
  /** Of the command that runs the shell; none: it was asked for as one. */
  readings: readonly string[]
  language: Language
  /** A line that is dangerous, and may be run all the same. */
  onPassed: (line: string, risk_level: RiskLevel) => void
  onRefused: (line: string | undefined, verdict: Extract<Verdict, { kind: 'refuse' }>) => void
}

/** Judges what a shell without a terminal is fed, line by line. Behind one that is refused nothing goes on: without it that means something else. */
export class LineGate implements PumpGate {
  readonly #options: LineGateOptions
  readonly #lines = new ShellLines()
  #rest = Buffer.alloc(0)
  #isOver = false
  #hasHistory: boolean

  constructor(options: LineGateOptions) {
    this.#options = options
    this.#hasHistory = turnsHistoryOn(options.readings)
  }

  async *take(chunk: Buffer): AsyncGenerator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, chunk])
    while (!this.#isOver) {
      const end = this.#rest.indexOf(lineFeed) + 1
      if (end === 0 && this.#rest.byteLength < lineMaxBytes) return
      const line = this.#rest.subarray(0, end || this.#rest.byteLength)
      this.#rest = this.#rest.subarray(line.byteLength)
      yield* this.#judge(line)
    }
    this.#rest = Buffer.alloc(0)
  }

  async *end(): AsyncGenerator<Buffer> {
    const line = this.#rest
    this.#rest = Buffer.alloc(0)
    // Its input has ended for the shell where a line was refused: nothing, not even an empty piece, may be written then.
    if (!this.#isOver && line.byteLength > 0) yield* this.#judge(line)
  }

  async *#judge(line: Buffer): AsyncGenerator<Buffer> {
    const { gate, language, onPassed, onRefused } = this.#options
    const text = line.byteLength < lineMaxBytes ? line.toString('utf8').trim() : undefined
    if (text === '') {
      yield line
      return
    }
    // The person's input is the script: nobody can be asked.
    const attempt = this.#lines.attempt(text)
    this.#hasHistory ||= turnsHistoryOn(attempt.readings)
    const isFetched = this.#hasHistory && this.#lines.takesFromHistory
    const verdict = isFetched ? refusal(filterMessage(language, 'history_unread')) : await gate.judge(attempt)
    this.#lines.took()
    if (verdict.kind === 'pass') {
      if (verdict.risk_level && text !== undefined) onPassed(text, verdict.risk_level)
      yield line
    } else if (verdict.kind === 'replace') yield Buffer.from(`${verdict.text}\n`)
    else {
      this.#isOver = true
      onRefused(text, verdict)
    }
  }
}
