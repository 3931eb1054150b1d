import type { Grant } from '@sallyport/contract/gateway/grants'
import {
  connect,
  KeyError,
  parsePrivateKey,
  type AuthMethod,
  type Client,
  type PrivateKey,
} from '@sallyport/ssh'
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
  /** OpenSSH, PEM or PuTTY text. */
  private_key?: string
  passphrase?: string
}

/** What a grant says of an asset or a gateway, and of an account on it. */
export const sshTargetOf = (
  machine: Pick<Grant['asset'], 'id' | 'address' | 'protocols'>,
  account: Pick<Grant['account'], 'username' | 'secret' | 'secret_type'>,
): SshTarget => ({
  asset_id: machine.id,
  address: machine.address,
  port: machine.protocols.find(({ name }) => name === 'ssh')?.port ?? 22,
  username: account.username,
  ...(account.secret_type === 'ssh_key' ? { private_key: account.secret } : { password: account.secret }),
})

export interface LoginOptions {
  dialer: Dialer
  hostKeys: HostKeys
  /** Relays the target's questions to the person; without it only the password is answered. */
  ask?: AskPerson
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

/** Connects over what the dialer gives and logs in. Throws a `TargetError` that says why it did not work. */
export async function logIn(target: SshTarget, options: LoginOptions): Promise<Client> {
  const { dialer, hostKeys, signal, timeoutMs = TIMEOUT_MS } = options
  const where = placeOf(target)
  const interview = new TargetInterview({ where, password: target.password, ask: options.ask })
  const methods = methodsOf(target, interview)
  const machine = { asset: target.asset_id, address: where }
  const accepted = await hostKeys.acceptedHostKeys(machine)
  signal?.throwIfAborted()
  try {
    const stream = await dialer.dial(target.address, target.port, signal)
    if (signal?.aborted) stream.destroy()
    return await connect(stream, {
      ident: 'Sallyport',
      username: target.username,
      methods,
      algorithms: targetAlgorithms(accepted),
      verifyHostKey: (key) => checkHostKey(hostKeys, machine, accepted, key),
      loginMs: timeoutMs,
      replyMs: options.channelMs ?? CHANNEL_TIMEOUT_MS,
      keepaliveMs: options.keepaliveMs ?? KEEPALIVE_MS,
      signal,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw interview.refusal(error) ?? targetError(error, where)
  }
}

function usableKey({ private_key = '', passphrase, username }: SshTarget): PrivateKey {
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

/** Key, password, keyboard-interactive: each at most once, and only what the target says it takes. */
function methodsOf(target: SshTarget, interview: TargetInterview): AuthMethod[] {
  const { password } = target
  const methods: AuthMethod[] = []
  if (target.private_key !== undefined) methods.push({ method: 'publickey', key: usableKey(target) })
  if (password !== undefined) methods.push({ method: 'password', password })
  const { answer } = interview
  // A key that is refused is not replaced by what a person may know.
  methods.push({ method: 'keyboard-interactive', answer, isSecond: password === undefined })
  return methods
}
