import { printable } from '@sallyport/contract/messages/terminal-text'
import { AuthError, type Question, type Questions } from '@sallyport/ssh'
import { type AskPerson, NoAnswerError } from '../../session/questions.ts'
import { TargetError } from './errors.ts'

const maxQuestions = 8
const maxRounds = 6
/** Of a question, in a sentence that tells of it. */
const shownChars = 100

export interface InterviewOptions {
  where: string
  /** The account's; the answer to one question for a password, and to nothing else. */
  password: string | undefined
  ask: AskPerson | undefined
  /** Nobody waits for answers any more. */
  signal: AbortSignal
}

/** What a target asks in one login (RFC 4256): the password is answered by itself, everything else by the person. */
export class TargetInterview {
  readonly #options: InterviewOptions
  #rounds = 0
  #usedPassword = false
  #wasAsked = false

  constructor(options: InterviewOptions) {
    this.#options = options
  }

  readonly answer = async ({ name, instruction, questions }: Questions): Promise<string[]> => {
    const { where, password } = this.#options
    if (++this.#rounds > maxRounds || questions.length > maxQuestions) {
      throw new TargetError('target_asks_too_much', `${where} asks too many questions`, { where })
    }
    const isForPassword = questions.map((question) => isPasswordQuestion(question))
    const at = this.#usedPassword || password === undefined ? -1 : isForPassword.indexOf(true)
    const left = questions.filter((_question, index) => index !== at)
    if (at >= 0) this.#usedPassword = true
    const answers = left.length > 0 ? await this.#askPerson({ name, instruction, questions: left }) : []
    if (at >= 0 && password !== undefined) answers.splice(at, 0, password)
    return answers
  }

  /** Why the login was refused, where the answers of the person may be the reason. */
  refusal(error: unknown): TargetError | undefined {
    if (!this.#wasAsked || !(error instanceof AuthError)) return undefined
    const { where } = this.#options
    return new TargetError('target_answers_refused', `${where} refused the answers`, { where }, error)
  }

  async #askPerson(asked: Questions): Promise<string[]> {
    const { where, ask, signal } = this.#options
    const prompts = asked.questions.map(({ prompt }) => prompt).join(' ')
    const question = printable(prompts).trim().slice(0, shownChars)
    try {
      if (!ask) throw new NoAnswerError('nobody')
      const answers = await ask({ where, ...asked }, signal)
      this.#wasAsked = true
      return answers
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error
      const code = error.why === 'nobody' ? 'target_question_unanswered' : 'target_question_given_up'
      throw new TargetError(code, `${where} asked, and got no answer`, { where, question }, error)
    }
  }
}

const password = /pass(?:word|phrase)|密码|口令|パスワード/i
/** Passwords that are not the account's own: codes, and new ones. */
const otherSecret =
  /one.?time|\botp\b|totp|token|code|verif|dynamic|\bpin\b|factor|\bnew\b|re.?(?:type|enter|peat)|again|confirm|chang|expire|一次性|动态|验证|新|再次|确认|ワンタイム|認証|確認|再入力/i

/** Whether it is the account's password that is asked for. In doubt it is not: a secret goes only to who asks for it. */
function isPasswordQuestion({ prompt, echo }: Question): boolean {
  return !echo && password.test(prompt) && !otherSecret.test(prompt)
}
