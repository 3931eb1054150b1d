/** What a target wants to know of the person before it lets them in (RFC 4256, 3.2). All texts are printable but for their lines. */
export interface TargetQuestions {
  /** Who asks: `address:port`. */
  where: string
  name: string
  instruction: string
  questions: readonly { prompt: string; echo: boolean }[]
}

/** One answer to each question. Rejects with a NoAnswerError, also when the signal aborts: nobody waits for an answer any more. */
export type AskPerson = (asked: TargetQuestions, signal: AbortSignal) => Promise<string[]>

/** Whoever a target is connected to for. */
export interface Waiting {
  /** Absent where there is no way to ask. */
  ask?: AskPerson
  /** What was tried led to nothing, and something else does not; the error is one `describeFailure` knows. */
  detour: (why: Error) => void
}

/** There will be no answer: nobody is there to be asked, or the person went back or let the time pass. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly why: 'nobody' | 'given_up'

  constructor(why: NoAnswerError['why']) {
    super(why === 'nobody' ? 'Nobody is there to be asked' : 'The person gave no answer')
    this.why = why
  }
}
