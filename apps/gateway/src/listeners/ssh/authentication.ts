import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import { printable } from '@sallyport/contract/messages/terminal-text'
import type { Language, Params } from '@sallyport/contract/messages/language'
import type { Logger } from 'pino'
import type { AuthContext, AuthenticationType, KeyboardAuthContext, PublicKeyAuthContext } from 'ssh2'
import { utils } from '../../streams/ssh2.ts'
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

const MAX_FAILURES = 6
/** Keys a client may offer on one connection, each once to ask and once with its proof. */
const MAX_KEYS = 20
const MAX_SECRET_LENGTH = 4096
const MFA_MS = 5 * 60_000

/** The login of one connection: passwords and keys are judged by the server, MFA and confirmation asked by keyboard-interactive. */
export class Authentication {
  readonly #options: AuthenticationOptions
  readonly #login: Login
  #pending: LoginStep | undefined
  #failures = 0
  #keys = 0
  #identity: Identity | undefined
  #token: Promise<RedeemedToken | undefined> | undefined

  constructor(options: AuthenticationOptions) {
    this.#options = options
    this.#login = options.directory.login(options.remoteAddress, options.language)
  }

  /** Who logged in; only after the connection is ready. */
  get identity(): Identity | undefined {
    return this.#identity
  }

  /** Answers one authentication request of the client. Never rejects. */
  async handle(context: AuthContext): Promise<void> {
    let isAborted = false
    context.on('abort', () => (isAborted = true))
    try {
      await this.#handle(context)
    } catch (error) {
      if (this.#options.signal.aborted) return
      this.#options.log.warn({ err: error, remote_addr: this.#options.remoteAddress }, 'ssh login failed')
      this.#options.banner(this.#say('server_failed'))
      if (!isAborted) this.#refuse(context)
    }
  }

  async #handle(context: AuthContext): Promise<void> {
    const name = parseLoginName(context.username)
    if (!name) {
      this.#options.banner(this.#say('login_bad_name'))
      this.#options.disconnect()
      return
    }
    if (context.method === 'keyboard-interactive') await this.#continue(context, name)
    else if (context.method === 'password' && this.#settings.password_auth) {
      const { password } = context
      if (password.length > MAX_SECRET_LENGTH) await this.#fail(context)
      else if (name.kind === 'token') await this.#tryToken(context, name, password)
      else await this.#try(context, name, { username: name.username, password })
    } else if (context.method === 'publickey' && this.#settings.public_key_auth)
      await this.#key(context, name)
    else this.#refuse(context)
  }

  get #settings() {
    return this.#options.directory.settings()
  }

  /** A client asks first whether a key would do; the server is only asked about one whose possession is proven. */
  async #key(context: PublicKeyAuthContext, name: LoginName): Promise<void> {
    if (++this.#keys > MAX_KEYS * 2) {
      this.#options.banner(this.#say('login_many_keys', { max: MAX_KEYS }))
      this.#options.disconnect()
      return
    }
    const key = utils.parseKey(context.key.data)
    const parsed = Array.isArray(key) ? key[0] : key
    if (!parsed || parsed instanceof Error || isWeak(parsed.type, context.hashAlgo)) {
      this.#refuse(context)
      return
    }
    if (!context.signature || !context.blob) {
      context.accept()
      return
    }
    if (parsed.verify(context.blob, context.signature, context.hashAlgo) !== true) {
      await this.#fail(context)
      return
    }
    const username =
      name.kind === 'token' ? (await this.#redeem(name.token_id))?.person.username : name.username
    const public_key = context.key.data.toString('base64')
    if (username === undefined) this.#refuse(context)
    else await this.#try(context, name, { username, public_key })
  }

  async #tryToken(
    context: AuthContext,
    name: Extract<LoginName, { kind: 'token' }>,
    password: string,
  ): Promise<void> {
    const token = await this.#redeem(name.token_id)
    if (!token) await this.#fail(context)
    else if (isEqual(token.value, password)) this.#accept(context, name, token.person, token)
    else await this.#try(context, name, { username: token.person.username, password })
  }

  /** Redeemed once for the connection: that uses it up. */
  #redeem(tokenId: string): Promise<RedeemedToken | undefined> {
    this.#token ??= this.#options.directory.redeemToken(tokenId)
    return this.#token
  }

  async #try(context: AuthContext, name: LoginName, credentials: Credentials): Promise<void> {
    this.#pending = undefined
    await this.#proceed(context, name, await this.#login.begin(credentials))
  }

  async #proceed(context: AuthContext, name: LoginName, step: LoginStep): Promise<void> {
    if (step.kind === 'granted') {
      const token = name.kind === 'token' ? await this.#redeem(name.token_id) : undefined
      this.#accept(context, name, step.person, token)
    } else if (step.kind === 'refused') {
      if (step.code === 'public_key_unknown') this.#refuse(context)
      else await this.#fail(context, step.message)
    } else {
      this.#pending = step
      this.#options.extend(MFA_MS)
      context.reject(['keyboard-interactive'], true)
    }
  }

  /** What is left after password or key: MFA, then perhaps a confirmation. */
  async #continue(context: KeyboardAuthContext, name: LoginName): Promise<void> {
    let step = this.#pending
    if (!step) {
      this.#refuse(context)
      return
    }
    const ask = questions(context)
    const { language, extend, signal } = this.#options
    while (step.kind === 'mfa' || step.kind === 'confirm') {
      const isDone =
        step.kind === 'mfa'
          ? await askMfa(this.#login, step.choices, ask, language)
          : await askConfirmation(this.#login, ask, language, extend, signal)
      if (!isDone) {
        await this.#fail(context)
        return
      }
      step = await this.#login.resume()
    }
    this.#pending = undefined
    await this.#proceed(context, name, step)
  }

  #accept(context: AuthContext, name: LoginName, person: Person, token: RedeemedToken | undefined): void {
    if (!this.#options.mayEnter(person)) {
      const max = this.#settings.max_sessions
      this.#options.banner(this.#say('too_many_connections', { max }))
      this.#options.disconnect()
      return
    }
    if (name.kind === 'token') {
      if (!token || token.person.id !== person.id) {
        this.#refuse(context)
        return
      }
      this.#identity = { kind: 'token', person, token }
    } else if (name.kind === 'direct') this.#identity = { ...name, person }
    else this.#identity = { kind: 'menu', person }
    context.accept()
  }

  #say(key: GatewayMenuKey, params?: Params): string {
    return say(this.#options.language, key, params)
  }

  /** Wrong: with a growing pause, and at last the end. */
  async #fail(context: AuthContext, message?: string): Promise<void> {
    this.#failures++
    await sleep(this.#options.failureDelayMs * this.#failures, undefined, { signal: this.#options.signal })
    if (message) this.#options.banner(this.#say('login_refused', { detail: message }))
    if (this.#failures < MAX_FAILURES) {
      this.#refuse(context)
      return
    }
    this.#options.banner(this.#say('login_too_often'))
    this.#options.disconnect()
  }

  #refuse(context: AuthContext): void {
    const methods: AuthenticationType[] = []
    if (this.#settings.public_key_auth) methods.push('publickey')
    if (this.#settings.password_auth) methods.push('password')
    if (this.#pending) methods.push('keyboard-interactive')
    context.reject(methods)
  }
}

/** RSA needs a SHA-2 signature; DSA is gone. */
function isWeak(type: string, hashAlgo: string | undefined): boolean {
  if (type === 'ssh-rsa') return hashAlgo !== 'sha256' && hashAlgo !== 'sha512'
  return type === 'ssh-dss'
}

function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

function questions(context: KeyboardAuthContext): Ask {
  return (title, prompt, { echo }) =>
    new Promise((resolve, reject) => {
      context.once('abort', () => reject(new Error('The client gave up the login')))
      context.prompt([{ prompt, echo }], printable(title), (answers: unknown) => {
        const [answer] = Array.isArray(answers) ? answers : []
        if (typeof answer === 'string') resolve(answer.slice(0, 256))
        else reject(answers instanceof Error ? answers : new Error('The client did not answer'))
      })
    })
}
