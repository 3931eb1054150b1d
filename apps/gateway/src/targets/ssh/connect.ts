import type { Duplex } from 'node:stream'
import type { AnyAuthMethod, AuthenticationType, Client, ClientChannel, ParsedKey, Prompt } from 'ssh2'
import type { TargetChannel, ShellConnection, Terminal } from '../../traffic/ports.ts'
import { trustReads } from '../../streams/shared-reads.ts'
import { enforceWindows, SshClient, utils } from '../../streams/ssh2.ts'
import type { Dialer } from '../dialer.ts'
import { targetAlgorithms } from './algorithms.ts'
import { targetChannel } from './channel.ts'
import { TargetError, targetError } from './errors.ts'
import { checkHostKey, type HostKeys } from './host-keys.ts'

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

export interface Question {
  prompt: string
  /** False when the answer must not be shown. */
  echo: boolean
}

export interface ConnectOptions {
  dialer: Dialer
  hostKeys: HostKeys
  /** Relays the target's questions to the person; without it only the password is answered. */
  ask?: (questions: Question[], instructions: string) => Promise<string[]>
  /** From the first packet to the accepted login, answers of the person not counted. */
  timeoutMs?: number
  /** Between two signs of life asked of a silent target; after three without an answer it is lost. */
  keepaliveMs?: number
  signal?: AbortSignal
}

const MAX_QUESTIONS = 8
const MAX_ROUNDS = 6
const CHANNEL_TIMEOUT_MS = 15_000
const GOODBYE_MS = 2_000

/** Connects over what the dialer gives and logs in. Throws a `TargetError` that says why it did not work. */
export async function connectSsh(target: SshTarget, options: ConnectOptions): Promise<ShellConnection> {
  const where = target.address.includes(':')
    ? `[${target.address}]:${target.port}`
    : `${target.address}:${target.port}`
  const key = target.private_key === undefined ? undefined : usableKey(target, where)
  const machine = { asset: target.asset_id, address: where }
  const accepted = await options.hostKeys.acceptedHostKeys(machine)
  options.signal?.throwIfAborted()

  const dialing = new AbortController()
  let stream: Duplex | undefined
  const deadline = new Deadline(options.timeoutMs ?? 15_000)
  let refusal: unknown
  let verified: Buffer | undefined
  const refuse = (error: unknown) => {
    refusal ??= error
    dialing.abort()
    stream?.destroy()
  }
  deadline.expired.then(
    () => refuse(new TargetError('target_no_answer', `${where} does not answer`, { where })),
    refuse,
  )
  const abort = () => refuse(options.signal?.reason)
  options.signal?.addEventListener('abort', abort, { once: true })

  const client = new SshClient()
  try {
    stream = await options.dialer.dial(target.address, target.port, dialing.signal)
    const sock = stream
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve)
      client.on('error', (error) => reject(refusal ?? error))
      client.once('close', () =>
        reject(refusal ?? new TargetError('target_lost', `${where} closed the connection`, { where })),
      )
      client.once('handshake', ({ sc }) => {
        // With AES-GCM nothing of what was read is kept: decrypting makes new bytes.
        if (sc.cipher.includes('gcm')) trustReads(sock)
      })
      client.connect({
        sock,
        username: target.username,
        ident: 'Sallyport',
        algorithms: targetAlgorithms(accepted),
        readyTimeout: 0,
        keepaliveInterval: options.keepaliveMs ?? 30_000,
        keepaliveCountMax: 3,
        hostVerifier: (shown: Buffer, verify: (isValid: boolean) => void) => {
          // Keys are changed on the way too. Must be answered at once then: the library goes on sending, and mangles what it sends.
          if (verified) {
            verify(verified.equals(shown))
            return
          }
          const key = Buffer.from(shown)
          const check = async () => {
            await checkHostKey(options.hostKeys, machine, accepted, key)
            verified = key
            verify(true)
          }
          check().catch((error: unknown) => {
            refusal ??= error
            verify(false)
          })
        },
        authHandler: authentication(target, key, options, deadline, refuse),
      })
      enforceWindows(client)
    })
  } catch (error) {
    stream?.destroy()
    if (options.signal?.aborted) throw error
    throw targetError(refusal ?? error, where)
  } finally {
    deadline.stop()
    options.signal?.removeEventListener('abort', abort)
  }
  return connection(client, stream, where)
}

function connection(client: Client, stream: Duplex, where: string): ShellConnection {
  let cause: Error | undefined
  const closed = new Promise<Error | undefined>((resolve) => {
    client.removeAllListeners('error').removeAllListeners('close')
    client.on('error', (error) => (cause ??= targetError(error, where)))
    client.once('close', () => resolve(cause))
    if (stream.destroyed) resolve(undefined)
  })
  const open = (kind: 'shell' | 'exec', terminal: Terminal | undefined, request: (done: Opened) => void) =>
    new Promise<TargetChannel>((resolve, reject) => {
      const fail = (message: string, error?: unknown) =>
        reject(new TargetError('target_channel_refused', `${where} ${message}`, { where }, error))
      const timer = setTimeout(() => fail(`does not open a ${kind}`), CHANNEL_TIMEOUT_MS)
      try {
        request((error, opened) => {
          clearTimeout(timer)
          if (error) fail(`refused a ${kind}: ${error.message}`, error)
          // At once: the exit status may be in the same packet as the channel's beginning.
          else resolve(targetChannel(opened, terminal !== undefined))
        })
      } catch (error) {
        clearTimeout(timer)
        fail('is not connected any more', error)
      }
    })
  return {
    shell: (terminal, { lang } = {}) =>
      open('shell', terminal, (done) => client.shell(terminal ?? false, { env: environment(lang) }, done)),
    exec: (command, { terminal, lang } = {}) =>
      open('exec', terminal, (done) => client.exec(command, { pty: terminal, env: environment(lang) }, done)),
    closed,
    end() {
      if (stream.destroyed) return
      client.end()
      const timer = setTimeout(() => stream.destroy(), GOODBYE_MS)
      stream.once('close', () => clearTimeout(timer))
    },
  }
}

const environment = (lang: string | undefined) => (lang === undefined ? undefined : { LANG: lang })

type Opened = (error: Error | undefined, stream: ClientChannel) => void

function usableKey(target: SshTarget, where: string): ParsedKey {
  const parsed = utils.parseKey(target.private_key ?? '', target.passphrase)
  const key = Array.isArray(parsed) ? parsed[0] : parsed
  if (!key || key instanceof Error || !key.isPrivateKey()) {
    throw new TargetError(
      'target_key_unusable',
      `The private key of ${target.username} can not be read: ${key instanceof Error ? key.message : 'not a private key'}`,
      { where, account: target.username },
    )
  }
  return key
}

/** Key, password, keyboard-interactive: each at most once, and only what the target says it takes. */
function authentication(
  target: SshTarget,
  key: ParsedKey | undefined,
  options: ConnectOptions,
  deadline: Deadline,
  refuse: (error: unknown) => void,
) {
  const { username, password } = target
  const methods: AnyAuthMethod[] = []
  if (key)
    methods.push({
      type: 'publickey',
      username,
      key: target.private_key ?? '',
      passphrase: target.passphrase,
    })
  if (password !== undefined) methods.push({ type: 'password', username, password })
  if (password !== undefined || options.ask) {
    let rounds = 0
    let usedPassword = false
    const answer = async (questions: Prompt[], instructions: string): Promise<string[]> => {
      if (++rounds > MAX_ROUNDS || questions.length > MAX_QUESTIONS) throw new Error('too many questions')
      const [question] = questions
      if (
        questions.length === 1 &&
        question &&
        isPasswordQuestion(question) &&
        password !== undefined &&
        !usedPassword
      ) {
        usedPassword = true
        return [password]
      }
      if (!options.ask) throw new Error('a question nobody is there to answer')
      deadline.pause()
      const asked = questions.map(({ prompt, echo }) => ({ prompt, echo: echo ?? false }))
      return await options.ask(asked, instructions).finally(() => deadline.resume())
    }
    methods.push({
      type: 'keyboard-interactive',
      username,
      prompt(_name, instructions, _language, questions, finish) {
        answer(questions, instructions).then(finish, (error: unknown) =>
          refuse(new TargetError('target_auth_failed', `Login not completed: ${String(error)}`, {}, error)),
        )
      },
    })
  }
  const pending: AnyAuthMethod[] = [{ type: 'none', username }, ...methods]
  return (accepted: AuthenticationType[] | null): AnyAuthMethod | false => {
    for (let method = pending.shift(); method; method = pending.shift()) {
      if (accepted === null || accepted.includes(method.type)) return method
    }
    return false
  }
}

function isPasswordQuestion({ prompt, echo }: Prompt): boolean {
  return !echo && /password|passphrase|密码|パスワード/i.test(prompt)
}

/** A time limit that stands still while the person thinks. */
class Deadline {
  readonly expired: Promise<void>
  #expire: () => void = () => {}
  #timer: NodeJS.Timeout | undefined
  readonly #timeoutMs: number

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs
    this.expired = new Promise((resolve) => (this.#expire = resolve))
    this.resume()
  }

  pause(): void {
    clearTimeout(this.#timer)
  }

  resume(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#expire, this.#timeoutMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }
}
