import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import type { Log } from '../log.ts'

export type Verdict =
  | { kind: 'pass' }
  /** Goes on instead. */
  | { kind: 'replace'; text: string }
  /** The sentence is for the person. */
  | { kind: 'refuse'; sentence: string }

export const passes: Verdict = { kind: 'pass' }

/** What a judge can do while something is held. */
export interface Hold {
  /** Aborts when the session ends: nothing is held any more. */
  signal: AbortSignal
  tell: (sentence: string) => void
  /** What the person sends next, which does not reach the target; undefined when nobody can answer. */
  ask: (question: string) => Promise<string | undefined>
}

/**
 * Decides on what a person is about to have the target do; it may take its time, and what the person sends meanwhile waits. `attempt` is
 * what the kind of traffic has read: a command line, say. Undefined: something, but nobody can tell what.
 */
export type Judge = (attempt: string | undefined, hold: Hold) => Promise<Verdict>

/** For the person; where nobody is there to answer, undefined. */
export type NextInput = () => Promise<Buffer | undefined>

export interface InputGateOptions {
  signal: AbortSignal
  tell: (sentence: string) => void
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

  /** Refuses what could not be judged. Rejects as soon as the session has ended. */
  async judge(attempt: string | undefined, next: NextInput): Promise<Verdict> {
    const { signal, tell, language, log } = this.#options
    const refuse: Verdict = { kind: 'refuse', sentence: gatewayMessage(language, 'not_judged') }
    signal.throwIfAborted()
    const ended = Promise.withResolvers<never>()
    const end = () => ended.reject(signal.reason)
    signal.addEventListener('abort', end, { once: true })
    const hold: Hold = {
      signal,
      tell,
      ask: async (question) => {
        tell(question)
        return (await next())?.toString('utf8')
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
}
