import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import { printable } from '@sallyport/contract/messages/terminal-text'
import type { Language, Params } from '@sallyport/contract/messages/language'
import type { Logger } from 'pino'
import { RefusedError } from '../../session/failures.ts'
import { AbandonedError, type AuthRequest, type MethodName, type Refusal, type Verdict } from '@sallyport/ssh'
import { askConfirmation, askMfa, type Ask } from './challenge.ts'
import { parseLoginName, type LoginName } from './login-name.ts'
import type { Credentials, Directory, Login, LoginStep, Person, RedeemedToken } from './services.ts'
import { say } from './text.ts'

/** Who logged in, and what for. */
export type Identity = { person: Person } & (
  | { kind: 'menu' }
  | Extract<LoginName, { kind: 'direct' }>
  | { kind: 'token'; token: RedeemedToken }
)

export interface AuthenticationOptions {
  directory: Directory
  log: Logger
  remoteAddress: string
  language: Language
  /** False when this person has as many connections as one may have. */
  mayEnter: (person: Person) => boolean
  /** Shows a line to the person before the login is done. */
  banner: (line: string) => void
  disconnect: () => void
  /** The person is at it (MFA, confirmation): the login may take this much longer. */
  extend: (ms: number) => void
  /** First of the growing pauses after a wrong password. */
  failureDelayMs: number
  /** Aborted when the connection is gone. */
  signal: AbortSignal
}

export const MAX_FAILURES = 6
/** Keys a client may offer on one connection, each once to ask and once with its proof. */
const MAX_KEYS = 20
const MAX_ANSWER_LENGTH = 256
const MFA_MS = 5 * 60_000

/** The login of one connection: passwords and keys are judged by the server, MFA and confirmation asked by keyboard-interactive. */
export class Authentication {
  readonly #options: AuthenticationOptions
  readonly #login: Login
  #pending: LoginStep | undefined
  #keys = 0
  #identity: Identity | undefined
  #signedInMs: number | undefined

  constructor(options: AuthenticationOptions) {
    this.#options = options
    this.#login = options.directory.login(options.remoteAddress, options.language)
  }

  /** Who logged in; only after the connection is ready. */
  get identity(): Identity | undefined {
    return this.#identity
  }

  /** When, by the server's clock, a password or key was accepted; undefined without one, and where the server does not tell. */
  get signedInMs(): number | undefined {
    return this.#signedInMs
  }

  /** Judges what the client shows. Rejects only when the client has given up what it is asked. */
  async authenticate(request: AuthRequest): Promise<Verdict> {
    try {
      return await this.#judge(request)
    } catch (error) {
      if (error instanceof AbandonedError) throw error
      if (this.#options.signal.aborted) return 'refused'
      if (error instanceof RefusedError) {
        this.#options.banner(this.#say('login_refused', { detail: error.message }))
        this.#options.disconnect()
        return 'refused'
      }
      this.#options.log.warn({ err: error, remote_addr: this.#options.remoteAddress }, 'ssh login failed')
      this.#options.banner(this.#say('server_failed'))
      return 'refused'
    }
  }

  /** What may go on: after what is right but not all, only the rest. */
  methods(verdict: Refusal): MethodName[] {
    const methods: MethodName[] = []
    if (verdict !== 'partial' && this.#settings.public_key_auth) methods.push('publickey')
    if (verdict !== 'partial' && this.#settings.password_auth) methods.push('password')
    if (this.#pending) methods.push('keyboard-interactive')
    return methods
  }

  async #judge(request: AuthRequest): Promise<Verdict> {
    const name = parseLoginName(request.username)
    if (!name) return this.#end('login_bad_name')
    if (request.method === 'keyboard-interactive') return await this.#continue(request, name)
    if (request.method === 'password' && this.#settings.password_auth) {
      const { password } = request
      return name.kind === 'token'
        ? await this.#tryToken(request, name, password)
        : await this.#try(request, name, { username: name.username, password })
    }
    if (request.method === 'publickey' && this.#settings.public_key_auth)
      return await this.#key(request, name)
    return 'refused'
  }

  get #settings() {
    return this.#options.directory.settings()
  }

  /** A client asks first whether a key would do; the server is only asked about one whose possession is proven. */
  async #key(request: Extract<AuthRequest, { method: 'publickey' }>, name: LoginName): Promise<Verdict> {
    if (++this.#keys > MAX_KEYS * 2) return this.#end('login_many_keys', { max: MAX_KEYS })
    if (!request.isProven) return 'accepted'
    const username =
      name.kind === 'token' ? await this.#options.directory.tokenOwner(name.token_id) : name.username
    const public_key = request.key.blob.toString('base64')
    return username === undefined ? 'refused' : await this.#try(request, name, { username, public_key })
  }

  /** With its value; or as whose it is, with a password of his own. Who knows neither does not use it up. */
  async #tryToken(
    request: AuthRequest,
    name: Extract<LoginName, { kind: 'token' }>,
    password: string,
  ): Promise<Verdict> {
    const { directory } = this.#options
    const token = await directory.redeemToken(name.token_id, this.#options.language, password)
    if (token) return this.#accept(name, token.person, token)
    const username = await directory.tokenOwner(name.token_id)
    if (username === undefined) return await this.#fail(request)
    return await this.#try(request, name, { username, password })
  }

  async #try(request: AuthRequest, name: LoginName, credentials: Credentials): Promise<Verdict> {
    this.#pending = undefined
    return await this.#proceed(request, name, await this.#login.begin(credentials))
  }

  async #proceed(request: AuthRequest, name: LoginName, step: LoginStep): Promise<Verdict> {
    if (step.kind === 'granted') {
      this.#signedInMs = step.signedInMs
      const { directory } = this.#options
      const token =
        name.kind === 'token' ? await directory.redeemToken(name.token_id, this.#options.language) : undefined
      return this.#accept(name, step.person, token)
    }
    if (step.kind === 'refused') {
      return step.code === 'public_key_unknown' ? 'refused' : await this.#fail(request, step.message)
    }
    this.#pending = step
    if (step.kind === 'confirm') this.#abandonWhenGone()
    this.#options.extend(MFA_MS)
    return 'partial'
  }

  /** Nobody is to decide about somebody who hung up before being asked whether to wait. */
  #abandonWhenGone(): void {
    const abandon = () => {
      if (this.#pending?.kind !== 'confirm') return
      this.#login.abandon().catch((error: unknown) => {
        this.#options.log.warn({ err: error }, 'a login that waits for confirmation could not be given up')
      })
    }
    this.#options.signal.addEventListener('abort', abandon, { once: true })
  }

  /** What is left after password or key: MFA, then perhaps a confirmation. */
  async #continue(
    request: Extract<AuthRequest, { method: 'keyboard-interactive' }>,
    name: LoginName,
  ): Promise<Verdict> {
    let step = this.#pending
    if (!step) return 'refused'
    const ask = asking(request)
    const { language, extend, signal } = this.#options
    while (step.kind === 'mfa' || step.kind === 'confirm') {
      const isDone =
        step.kind === 'mfa'
          ? await askMfa(this.#login, step.choices, ask, language)
          : await askConfirmation(this.#login, ask, language, extend, signal)
      if (!isDone) {
        // The ticket is decided or closed: only another login asks anybody again.
        const isConfirm = step.kind === 'confirm'
        if (isConfirm) this.#pending = undefined
        return await this.#fail(request, isConfirm ? this.#say('confirm_refused') : undefined)
      }
      step = await this.#login.resume()
    }
    this.#pending = undefined
    return await this.#proceed(request, name, step)
  }

  #accept(name: LoginName, person: Person, token: RedeemedToken | undefined): Verdict {
    if (!this.#options.mayEnter(person)) {
      return this.#end('too_many_connections', { max: this.#settings.max_sessions })
    }
    if (name.kind === 'token') {
      if (!token || token.person.id !== person.id) return 'refused'
      this.#identity = { kind: 'token', person, token }
    } else if (name.kind === 'direct') this.#identity = { ...name, person }
    else this.#identity = { kind: 'menu', person }
    return 'accepted'
  }

  #say(key: GatewayMenuKey, params?: Params): string {
    return say(this.#options.language, key, params)
  }

  /** Wrong: with a growing pause, and at last the end. */
  async #fail({ failures }: AuthRequest, message?: string): Promise<Verdict> {
    const pauseMs = this.#options.failureDelayMs * (failures + 1)
    await sleep(pauseMs, undefined, { signal: this.#options.signal })
    if (message) this.#options.banner(this.#say('login_refused', { detail: message }))
    if (failures + 1 >= MAX_FAILURES) this.#options.banner(this.#say('login_too_often'))
    return 'wrong'
  }

  /** Says why and ends the connection. */
  #end(key: GatewayMenuKey, params?: Params): Verdict {
    this.#options.banner(this.#say(key, params))
    this.#options.disconnect()
    return 'refused'
  }
}

function asking(request: Extract<AuthRequest, { method: 'keyboard-interactive' }>): Ask {
  return async (title, prompt, { echo }) => {
    const [answer = ''] = await request.ask({
      name: printable(title),
      instruction: '',
      questions: [{ prompt, echo }],
    })
    return answer.slice(0, MAX_ANSWER_LENGTH)
  }
}
