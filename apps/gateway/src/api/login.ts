import { tokensPath } from '@sallyport/contract/addresses'
import { loginAnswerSchema, okSchema } from '@sallyport/contract/gateway/login'
import type { Language } from '@sallyport/contract/messages/language'
import { callPath } from '@sallyport/contract/resource/calls'
import { LoginConfirmTicket, Mfa } from '@sallyport/contract/resources/sign-in'
import type { Credentials, Login, LoginStep } from '../listeners/ssh/services.ts'
import { ServerAwayError, ServerRefusedError } from './errors.ts'
import type { Answer, Call, Transport } from './transport.ts'

const cookiesMax = 20
const selectPath = callPath(Mfa, Mfa.calls.select)
const defaultChallengePath = callPath(Mfa, Mfa.calls.challenge)
const statusPath = callPath(LoginConfirmTicket, LoginConfirmTicket.calls.status)
const cancelPath = callPath(LoginConfirmTicket, LoginConfirmTicket.calls.cancel)

/** One person's login at the server in several steps; the server's session cookies are kept between them. */
export class ApiLogin implements Login {
  readonly #transport: Transport
  readonly #remoteAddress: string
  readonly #language: Language
  readonly #cookies = new Map<string, string>()
  #credentials: Credentials | undefined
  #challengePath = defaultChallengePath

  constructor(transport: Transport, remoteAddress: string, language: Language) {
    this.#transport = transport
    this.#remoteAddress = remoteAddress
    this.#language = language
  }

  async begin(credentials: Credentials): Promise<LoginStep> {
    this.#credentials = credentials
    return this.resume()
  }

  async resume(): Promise<LoginStep> {
    let body: unknown
    let refused: ServerRefusedError | undefined
    try {
      const answer = await this.#call('POST', tokensPath, {
        ...this.#credentials,
        remote_addr: this.#remoteAddress,
        login_type: 'T',
      })
      body = answer.body
    } catch (error) {
      if (!(error instanceof ServerRefusedError) || error.status >= 500) throw error
      body = error.body
      refused = error
    }
    const parsed = loginAnswerSchema.safeParse(body)
    // What nobody's name or password can be, told by its field.
    if (!parsed.success && refused?.status === 400)
      return { kind: 'refused', code: 'invalid', message: refused.detail }
    if (!parsed.success) throw new ServerAwayError(`${tokensPath}: unexpected answer`)
    const answer = parsed.data
    if ('token' in answer) return { kind: 'granted', person: answer.user, signedInMs: answer.signed_in_ms }
    if (answer.error === 'mfa_required') {
      this.#challengePath = challengePath(answer.data?.url)
      return { kind: 'mfa', choices: answer.data?.choices ?? [] }
    }
    if (answer.error === 'login_confirm_wait') return { kind: 'confirm' }
    return { kind: 'refused', code: answer.error, message: answer.msg || answer.error }
  }

  async selectMfa(type: string): Promise<void> {
    try {
      await this.#call('POST', selectPath, {
        type,
        username: this.#credentials?.username,
      })
    } catch (error) {
      // Of most kinds no code needs sending, and the server says so.
      if (!(error instanceof ServerRefusedError) || error.status >= 500) throw error
    }
  }

  async answerMfa(type: string, code: string): Promise<true | { message: string }> {
    try {
      const answer = await this.#call('POST', this.#challengePath, {
        type,
        code,
        remote_addr: this.#remoteAddress,
        login_type: 'T',
      })
      return okSchema.safeParse(answer.body).success ? true : { message: '' }
    } catch (error) {
      if (error instanceof ServerRefusedError && error.status < 500) return { message: error.detail }
      throw error
    }
  }

  async confirmStatus(): Promise<'approved' | 'waiting' | 'refused'> {
    const { body } = await this.#call('GET', statusPath)
    if (okSchema.safeParse(body).success) return 'approved'
    const parsed = loginAnswerSchema.safeParse(body)
    const waiting = parsed.success && 'error' in parsed.data && parsed.data.error === 'login_confirm_wait'
    return waiting ? 'waiting' : 'refused'
  }

  async abandon(): Promise<void> {
    await this.#call('DELETE', cancelPath)
  }

  async #call(method: Call['method'], path: string, body?: unknown): Promise<Answer> {
    const headers: Record<string, string> = {
      'accept-language': this.#language,
      'x-jms-login-type': 'T',
      'x-forwarded-for': this.#remoteAddress,
    }
    if (this.#cookies.size > 0) {
      headers.cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    }
    const answer = await this.#transport.answer({ method, path, body, headers })
    for (const cookie of answer.headers['set-cookie'] ?? []) this.#keep(cookie)
    return answer
  }

  #keep(setCookie: string): void {
    const [pair = ''] = setCookie.split(';', 1)
    const equals = pair.indexOf('=')
    if (equals > 0 && this.#cookies.size < cookiesMax) {
      this.#cookies.set(pair.slice(0, equals).trim(), pair.slice(equals + 1).trim())
    }
  }
}

/** The server names the address for the code; only a path of its own API is followed. */
function challengePath(url: string | undefined): string {
  const match = /^(?:https?:\/\/[^/]+)?(\/api\/v1\/authentication\/[\w/-]+)$/.exec(url ?? '')
  return match?.[1] ?? defaultChallengePath
}
