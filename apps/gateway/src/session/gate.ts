import type { LineDiscard } from '@sallyport/contract/assets/line-discard'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import type { riskLevels } from '@sallyport/contract/resources/terminal'
import type { Log } from '../log.ts'

/** What a person is about to have the target do, as the kind of traffic has read it. */
export interface Attempt {
  /** As people may see it, on the books too; undefined: it was not shown, or nobody can tell. */
  text: string | undefined
  /** The lines it goes on from, as people may see them. */
  before?: string
  /** All that it may be to the target. What is not shown is in here, and is kept nowhere. Empty: nobody can tell. */
  readings: readonly string[]
}

/** How dangerous the books call a command. */
export type RiskLevel = (typeof riskLevels.values)[number]

export type Verdict =
  | { kind: 'pass'; risk_level?: RiskLevel }
  /** Goes on instead. */
  | { kind: 'replace'; text: string }
  /** The sentence is for the person. */
  | { kind: 'refuse'; sentence: string; risk_level?: RiskLevel }

export const passes: Verdict = { kind: 'pass' }

/** What a judge can do while something is held. */
export interface Hold {
  /** Aborts when the session ends: nothing is held any more. */
  signal: AbortSignal
  /** It has been run already, unheld: what is judged is only how dangerous it was. */
  isPast: boolean
  tell: (sentence: string) => void
  /** Text for the person's terminal as it is, where there is one. */
  show: (text: string) => void
  /** Whether somebody is there to answer. */
  canAsk: boolean
  /** What the person sends next, which does not reach the target; undefined when nobody can answer. */
  next: NextInput
  /** The same, after a question. */
  ask: (question: string) => Promise<string | undefined>
}

/** Decides on what a person is about to have the target do; it may take its time, and what the person sends meanwhile waits. */
export type Judge = (attempt: Attempt, hold: Hold) => Promise<Verdict>

/** From the person; undefined where nobody is there to answer, or when the signal aborts: then nothing is taken from what comes. */
export type NextInput = (signal?: AbortSignal) => Promise<Buffer | undefined>

export interface InputGateOptions {
  /** What has the target give up a line that is not let through. */
  discard: LineDiscard
  signal: AbortSignal
  tell: (sentence: string) => void
  show: (text: string) => void
  language: Language
  log: Log
}

/** Stands between what a person sends and the target. The kind of traffic says what is one attempt, and what letting through means. */
export class InputGate {
  readonly #judge: Judge
  readonly #options: InputGateOptions

  constructor(judge: Judge, options: InputGateOptions) {
    this.#judge = judge
    this.#options = options
  }

  get discard(): LineDiscard {
    return this.#options.discard
  }

  /** Refuses what could not be judged. Rejects as soon as the session has ended. Without `next` nobody can be asked, nor give up. */
  async judge(attempt: Attempt, next?: NextInput, canAsk = next !== undefined): Promise<Verdict> {
    const { signal, tell, show, language, log } = this.#options
    const refuse: Verdict = { kind: 'refuse', sentence: gatewayMessage(language, 'not_judged') }
    signal.throwIfAborted()
    const ended = Promise.withResolvers<never>()
    const end = () => ended.reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    const hold: Hold = {
      signal,
      isPast: false,
      tell,
      show,
      canAsk,
      next: async (signal) => await next?.(signal),
      ask: async (question) => {
        tell(question)
        return (await next?.())?.toString('utf8')
      },
    }
    const judged = async () => await this.#judge(attempt, hold)
    try {
      return await Promise.race([judged(), ended.promise])
    } catch (error) {
      if (signal.aborted) throw error
      log.error({ err: error }, 'what a person sent could not be judged')
      return refuse
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  /** How dangerous something was that has been run without being held; 0 where that cannot be told. */
  async riskOf(attempt: Attempt): Promise<RiskLevel> {
    const { signal, log } = this.#options
    const nobody = async () => undefined
    const hold = { signal, isPast: true, tell() {}, show() {}, canAsk: false, next: nobody, ask: nobody }
    try {
      const verdict = await this.#judge(attempt, hold)
      return verdict.kind === 'replace' ? 0 : (verdict.risk_level ?? 0)
    } catch (error) {
      log.warn({ err: error }, 'what has been run could not be judged')
      return 0
    }
  }
}
