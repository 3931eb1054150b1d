import type { Duplex } from 'node:stream'
import type { Grant } from '@sallyport/contract/gateway/grants'
import type { HostKey } from '@sallyport/contract/gateway/host-keys'
import type { TargetMessage } from '@sallyport/contract/messages/gateway-targets'
import {
  connect,
  KeyError,
  parsePrivateKey,
  type AuthMethod,
  type Client,
  type PrivateKey,
  type PublicKey,
  TimeoutError,
} from '@sallyport/ssh'
import { isServerTrouble, ServerAwayError } from '../../api/errors.ts'
import type { AskPerson } from '../../session/questions.ts'
import type { Dialer } from '../dialer.ts'
import { targetAlgorithms } from './algorithms.ts'
import { TargetError, targetError } from './errors.ts'
import { checkHostKey, type HostKeys } from './host-keys.ts'
import { TargetInterview } from './interview.ts'

/** A machine, and whom to sign in there as. */
export interface SshTarget {
  asset_id: string
  address: string
  port: number
  username: string
  password?: string
  /** It may be offered what only old servers need. */
  isOld?: boolean
  /** OpenSSH, PEM or PuTTY text. */
  private_key?: string
  passphrase?: string
}

/** What a grant says of an asset or a gateway, and of an account on it. Throws a TargetError where its secret is for no login. */
export const sshTargetOf = (
  machine: Pick<Grant['asset'], 'id' | 'address' | 'protocols'>,
  account: Pick<Grant['account'], 'username' | 'secret' | 'secret_type'>,
): SshTarget => ({
  asset_id: machine.id,
  address: machine.address,
  port: machine.protocols.find(({ name }) => name === 'ssh')?.port ?? 22,
  username: account.username,
  ...shownOf(account),
})

/** A token or an access key is not told to a machine as if it was a password. */
function shownOf({
  username,
  secret,
  secret_type: type,
}: Pick<Grant['account'], 'username' | 'secret' | 'secret_type'>): Pick<
  SshTarget,
  'password' | 'private_key'
> {
  if (type === 'ssh_key') return { private_key: secret }
  if (type === 'password') return { password: secret }
  throw new TargetError('secret_of_no_login', `SSH takes no ${type}`, { account: username })
}

export interface LoginOptions {
  dialer: Dialer
  hostKeys: HostKeys
  /** Relays the target's questions to the person; without it only the password is answered. */
  ask?: AskPerson
  /** The way that was tried first led to nothing, and another one leads there. */
  detour?: (why: TargetError) => void
  /** From the first packet to the accepted login, answers of the person not counted. */
  timeoutMs?: number
  /** Between two signs of life asked of a silent target; after three without an answer it is lost. */
  keepaliveMs?: number
  /** How long the target may take to open a channel. */
  channelMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 15_000
const CHANNEL_TIMEOUT_MS = 15_000
const KEEPALIVE_MS = 30_000

/** `address:port`, as it is told of, and as host keys are kept under it. */
export const placeOf = ({ address, port }: Pick<SshTarget, 'address' | 'port'>) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`

/**
 * Connects over what the dialer gives and logs in; where the way broke meanwhile, on another way, from the beginning. Throws a `TargetError` that
 * says why it did not work, or what was wrong with our own server, as it came.
 */
export async function logIn(target: SshTarget, options: LoginOptions): Promise<Client> {
  const { dialer, hostKeys, signal } = options
  const key = usableKey(target)
  const machine = { asset: target.asset_id, address: placeOf(target) }
  const accepted = await hostKeys.acceptedHostKeys(machine)
  signal?.throwIfAborted()
  let broken: TargetError | undefined
  for (;;) {
    const attempt = new Attempt(target, key, accepted, options)
    try {
      const stream = await dialer.dial(target.address, target.port, signal)
      if (signal?.aborted) stream.destroy()
      else if (broken) options.detour?.(broken)
      return await attempt.logIn(stream)
    } catch (error) {
      const trouble = attempt.serverTrouble(error)
      if (trouble ?? signal?.aborted) throw trouble ?? error
      broken = attempt.failure(error)
      if (!attempt.mayBeTheWay(broken) || !dialer.passOver?.(broken)) throw broken
    }
  }
}

/** One login on one stream. */
class Attempt {
  readonly #target: SshTarget
  readonly #key: PrivateKey | undefined
  readonly #accepted: HostKey[]
  readonly #options: LoginOptions
  readonly #where: string
  readonly #interview: TargetInterview
  readonly #over = new AbortController()
  #hasShownKey = false
  #asksServer = false

  constructor(target: SshTarget, key: PrivateKey | undefined, accepted: HostKey[], options: LoginOptions) {
    this.#target = target
    this.#key = key
    this.#accepted = accepted
    this.#options = options
    this.#where = placeOf(target)
    const { password } = target
    const { ask } = options
    this.#interview = new TargetInterview({ where: this.#where, password, ask, signal: this.#over.signal })
  }

  async logIn(stream: Duplex): Promise<Client> {
    const { signal, timeoutMs, channelMs, keepaliveMs } = this.#options
    const { username } = this.#target
    return await connect(stream, {
      ident: 'Sallyport',
      username,
      methods: this.#methods(),
      algorithms: targetAlgorithms(this.#accepted, this.#target.isOld ?? false),
      verifyHostKey: (key) => this.#verify(key),
      loginMs: timeoutMs ?? TIMEOUT_MS,
      replyMs: channelMs ?? CHANNEL_TIMEOUT_MS,
      keepaliveMs: keepaliveMs ?? KEEPALIVE_MS,
      signal,
    })
  }

  async #verify(key: PublicKey): Promise<void> {
    this.#hasShownKey = true
    this.#asksServer = true
    const target = { asset: this.#target.asset_id, address: this.#where }
    try {
      await checkHostKey(this.#options.hostKeys, target, this.#accepted, key)
    } finally {
      this.#asksServer = false
    }
  }

  /** Where it did not work because of our own server, which may be what took too long, too. Nobody is asked anything any more. */
  serverTrouble(error: unknown): Error | undefined {
    const isLate = error instanceof TimeoutError || this.#options.signal?.aborted === true
    if (!isServerTrouble(error) && !(this.#asksServer && isLate)) return undefined
    this.#over.abort()
    if (isServerTrouble(error)) return error
    return new ServerAwayError(`The server did not say in time whether ${this.#where} is to be trusted`, {
      cause: error,
    })
  }

  /** Why it did not work. Nobody is asked anything any more. */
  failure(error: unknown): TargetError {
    this.#over.abort()
    return this.#interview.refusal(error) ?? targetError(error, this.#where)
  }

  /** Whether what stands between may have broken it: a secret that was sent is not sent again because the target did not like it. */
  mayBeTheWay({ code }: TargetError): boolean {
    return code === 'zone_gateway_lost' || (!this.#hasShownKey && brokenOnTheWay.has(code))
  }

  /** Key, password, keyboard-interactive: each at most once, and only what the target says it takes. */
  #methods(): AuthMethod[] {
    const { password } = this.#target
    const methods: AuthMethod[] = []
    if (this.#key) methods.push({ method: 'publickey', key: this.#key })
    if (password !== undefined) methods.push({ method: 'password', password })
    const { answer } = this.#interview
    // A key that is refused is not replaced by what a person may know.
    methods.push({ method: 'keyboard-interactive', answer, isSecond: password === undefined })
    return methods
  }
}

/** What a machine between that breaks or talks nonsense looks like, before the target has proven to be there. */
const brokenOnTheWay: ReadonlySet<TargetMessage> = new Set(['target_lost', 'target_not_ssh'])

/** Undefined where there is none. */
function usableKey({ private_key, passphrase, username }: SshTarget): PrivateKey | undefined {
  if (private_key === undefined) return undefined
  try {
    return parsePrivateKey(private_key, { passphrase, legacy: true })
  } catch (error) {
    if (!(error instanceof KeyError)) throw error
    throw new TargetError(
      'target_key_unusable',
      `The private key of ${username} can not be used: ${error.message}`,
      {},
      error,
    )
  }
}
