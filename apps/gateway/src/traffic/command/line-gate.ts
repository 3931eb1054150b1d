import { passes, type InputGate, type NextInput } from '../../session/gate.ts'
import type { PumpGate } from '../../session/pump.ts'

/** A longer line is held no further: nobody can tell what it is. */
const lineMaxBytes = 64 * 1024
const lineFeed = 0x0a

export interface LineGateOptions {
  gate: InputGate
  next: NextInput
  onRefused: (line: string, sentence: string) => void
}

/** Judges what a shell without a terminal is fed, line by line. */
export class LineGate implements PumpGate {
  readonly #options: LineGateOptions
  #rest = Buffer.alloc(0)

  constructor(options: LineGateOptions) {
    this.#options = options
  }

  async *take(chunk: Buffer): AsyncGenerator<Buffer> {
    this.#rest = Buffer.concat([this.#rest, chunk])
    for (;;) {
      const end = this.#rest.indexOf(lineFeed) + 1
      if (end === 0 && this.#rest.byteLength < lineMaxBytes) return
      const line = this.#rest.subarray(0, end || this.#rest.byteLength)
      this.#rest = this.#rest.subarray(line.byteLength)
      yield* this.#judge(line)
    }
  }

  async *end(): AsyncGenerator<Buffer> {
    const line = this.#rest
    this.#rest = Buffer.alloc(0)
    yield* this.#judge(line)
  }

  async *#judge(line: Buffer): AsyncGenerator<Buffer> {
    const { gate, next, onRefused } = this.#options
    const text = line.toString('utf8').trim()
    const attempt = line.byteLength < lineMaxBytes ? text : undefined
    const verdict = text === '' ? passes : await gate.judge(attempt, next)
    if (verdict.kind === 'pass') yield line
    else if (verdict.kind === 'replace') yield Buffer.from(`${verdict.text}\n`)
    else onRefused(text, verdict.sentence)
  }
}
