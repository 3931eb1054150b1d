/** What a target wants to know of the person before it lets them in (RFC 4256, 3.2). All texts are printable but for their lines. */
export interface TargetQuestions {
  /** Who asks: `address:port`. */
  where: string
  name: string
  instruction: string
  questions: readonly { prompt: string; echo: boolean }[]
}

/** One answer to each question. Rejects with a NoAnswerError. */
export type AskPerson = (asked: TargetQuestions) => Promise<string[]>

/** There will be no answer: nobody is there to be asked, or the person went back or let the time pass. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly why: 'nobody' | 'given_up'

  constructor(why: NoAnswerError['why']) {
    super(why === 'nobody' ? 'Nobody is there to be asked' : 'The person gave no answer')
    this.why = why
  }
}
