import { setTimeout as sleep } from 'node:timers/promises'
import { passes, type InputGate, type NextInput } from '../../session/gate.ts'
import type { PumpGate } from '../../session/pump.ts'
import type { Screen } from './screen/screen.ts'

/** Enter, line feed, and Ctrl-O, which takes a line as well; inside pastes too, for not every program knows what a paste is. */
const enters = new Set([0x0d, 0x0a, 0x0f])
/** Gives the line up that stands there, wherever the cursor is in it, in any shell. */
const interrupt = Buffer.of(0x03)
const enter = '\r'
/** What was typed before Enter is on the screen within this, or it is not shown at all. */
const echoWithinMs = 1000
const lookEveryMs = 20
/** Where only the screen can tell what the line is, it is believed when it stood still for so long. */
const stillMs = 100

export interface TerminalGateOptions {
  gate: InputGate
  next: NextInput
  screen: Screen
  onRefused: (line: string | undefined, sentence: string) => void
  /** Says that something was not carried out. */
  failed: string
}

/**
 * Holds Enter until the line that stands on the screen is judged. All other keys pass at once, so that the line comes to stand there. What
 * is not shown (a password) is judged as something nobody can tell.
 */
export class TerminalGate implements PumpGate {
  readonly #options: TerminalGateOptions

  constructor(options: TerminalGateOptions) {
    this.#options = options
  }

  take(chunk: Buffer): AsyncIterable<Buffer> | undefined {
    return chunk.some((key) => enters.has(key)) ? this.#split(chunk) : undefined
  }

  end(): undefined {}

  async *#split(chunk: Buffer): AsyncGenerator<Buffer> {
    let from = 0
    for (const [at, key] of chunk.entries()) {
      if (!enters.has(key)) continue
      if (at > from) yield Buffer.from(chunk.subarray(from, at))
      yield* this.#enter(Buffer.of(key))
      from = at + 1
    }
    if (from < chunk.byteLength) yield Buffer.from(chunk.subarray(from))
  }

  async *#enter(key: Buffer): AsyncGenerator<Buffer> {
    const { gate, next, onRefused, failed } = this.#options
    const line = (await this.#line())?.trim()
    const verdict = line === '' ? passes : await gate.judge(line, next)
    if (verdict.kind === 'pass') yield key
    else {
      yield interrupt
      const isGivenUp = await this.#givenUp()
      if (verdict.kind === 'refuse') onRefused(line, verdict.sentence)
      else if (isGivenUp) yield Buffer.from(verdict.text + enter)
      else onRefused(line, failed)
    }
  }

  /** Whether the line is gone: what comes too soon after an interrupt, a shell may take for a part of it. */
  async #givenUp(): Promise<boolean> {
    const begun = performance.now()
    let goneSince: number | undefined
    while (performance.now() - begun < echoWithinMs) {
      const line = await this.#options.screen.line()
      if (line?.shown !== '') goneSince = undefined
      else if (performance.now() - (goneSince ??= performance.now()) >= stillMs) return true
      await sleep(lookEveryMs)
    }
    return false
  }

  /** The line as it is shown, once all that was typed can be; undefined: it cannot be read. */
  async #line(): Promise<string | undefined> {
    const { screen } = this.#options
    const begun = performance.now()
    let last: string | undefined
    let stillSince = begun
    while (performance.now() - begun < echoWithinMs) {
      const line = await screen.line()
      if (!line) return undefined
      const { shown, typed } = line
      if (shown === '' && typed === '') return ''
      if (typed && shown?.trimEnd().endsWith(typed.trimEnd())) return shown
      const now = performance.now()
      if (shown !== last) stillSince = now
      // More than was typed, by history or completion; never less, for that is still on its way.
      else if (shown?.includes(typed ?? '') && shown !== '' && now - stillSince >= stillMs) return shown
      last = shown
      await sleep(lookEveryMs)
    }
    return undefined
  }
}
