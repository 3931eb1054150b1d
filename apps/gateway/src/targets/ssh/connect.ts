import {
  ChannelError,
  connect,
  KeyError,
  noModes,
  parsePrivateKey,
  type AuthMethod,
  type Client,
  type ClientSession,
  type PrivateKey,
} from '@sallyport/ssh'
import type { TargetChannel, ShellConnection, Terminal } from '../../traffic/ports.ts'
import type { AskPerson } from '../../session/questions.ts'
import type { Dialer } from '../dialer.ts'
import { targetAlgorithms } from './algorithms.ts'
import { targetChannel } from './channel.ts'
import { isGoodbye, TargetError, targetError } from './errors.ts'
import { checkHostKey, type HostKeys } from './host-keys.ts'
import { TargetInterview } from './interview.ts'

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

export interface ConnectOptions {
  dialer: Dialer
  hostKeys: HostKeys
  /** Relays the target's questions to the person; without it only the password is answered. */
  ask?: AskPerson
  /** From the first packet to the accepted login, answers of the person not counted. */
  timeoutMs?: number
  /** Between two signs of life asked of a silent target; after three without an answer it is lost. */
  keepaliveMs?: number
  signal?: AbortSignal
}

const TIMEOUT_MS = 15_000
const CHANNEL_TIMEOUT_MS = 15_000
const KEEPALIVE_MS = 30_000

/** Connects over what the dialer gives and logs in. Throws a `TargetError` that says why it did not work. */
export async function connectSsh(target: SshTarget, options: ConnectOptions): Promise<ShellConnection> {
  const { dialer, hostKeys, signal, timeoutMs = TIMEOUT_MS } = options
  const where = target.address.includes(':')
    ? `[${target.address}]:${target.port}`
    : `${target.address}:${target.port}`
  const interview = new TargetInterview({ where, password: target.password, ask: options.ask })
  const methods = methodsOf(target, interview)
  const machine = { asset: target.asset_id, address: where }
  const accepted = await hostKeys.acceptedHostKeys(machine)
  signal?.throwIfAborted()
  const begunMs = performance.now()
  const expired = AbortSignal.timeout(timeoutMs)
  try {
    const dialing = signal ? AbortSignal.any([signal, expired]) : expired
    const stream = await dialer.dial(target.address, target.port, dialing)
    const client = await connect(stream, {
      ident: 'Sallyport',
      username: target.username,
      methods,
      algorithms: targetAlgorithms(accepted),
      verifyHostKey: (key) => checkHostKey(hostKeys, machine, accepted, key),
      loginMs: Math.max(timeoutMs - (performance.now() - begunMs), 1),
      replyMs: CHANNEL_TIMEOUT_MS,
      keepaliveMs: options.keepaliveMs ?? KEEPALIVE_MS,
      signal,
    })
    return connection(client, where)
  } catch (error) {
    if (signal?.aborted) throw error
    throw interview.refusal(error) ?? targetError(error, where)
  }
}

function connection(client: Client, where: string): ShellConnection {
  const closed = async () => {
    const error = await client.closed
    return error && !isGoodbye(error) ? targetError(error, where) : undefined
  }
  /** What is asked of a session is sent at once, and answered in order. */
  const open = async (
    kind: 'shell' | 'exec',
    { terminal, lang }: { terminal?: Terminal; lang?: string },
    begin: (session: ClientSession) => Promise<void>,
  ): Promise<TargetChannel> => {
    let session: ClientSession | undefined
    try {
      session = await client.openSession()
      const channel = targetChannel(session, { where, hasTerminal: terminal !== undefined })
      if (lang !== undefined) session.env('LANG', lang)
      const size = { widthPixels: 0, heightPixels: 0, modes: noModes }
      await Promise.all([terminal && session.pty({ ...terminal, ...size }), begin(session)])
      return channel
    } catch (error) {
      session?.destroy()
      const said = error instanceof ChannelError && error.said !== '' ? `: ${error.said}` : ''
      throw new TargetError('target_channel_refused', `${where} opened no ${kind}${said}`, { where }, error)
    }
  }
  return {
    shell: (terminal, { lang } = {}) => open('shell', { terminal, lang }, (session) => session.shell()),
    exec: (command, options = {}) => open('exec', options, (session) => session.exec(command)),
    closed: closed(),
    end: () => client.end(),
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
