import type { Duplex } from 'node:stream'
import { ClientAuth, type AuthMethod } from './auth/client-auth.ts'
import { Channel } from './channels/channel.ts'
import { Channels } from './channels/channels.ts'
import { ClientSession } from './channels/client-session.ts'
import { Keepalive } from './channels/keepalive.ts'
import { defaultLimits } from './channels/limits.ts'
import type { PublicKey } from './keys/key.ts'
import type { Algorithms } from './transport/algorithms.ts'
import { Transport } from './transport/transport.ts'
import { SshError, TimeoutError } from './wire/errors.ts'
import { message } from './wire/messages.ts'

export interface ConnectOptions {
  /** Of our software: `Sallyport_1.0`, no blanks. */
  ident: string
  username: string
  /** In this order, each once, as far as the server takes it. */
  methods: readonly AuthMethod[]
  /** Throws or rejects to refuse; `connect` rejects with that. Asked again when the server comes with another key later. */
  verifyHostKey: (key: PublicKey) => void | Promise<void>
  algorithms?: Algorithms
  /** What the server says before the login, printable but for its lines. */
  onBanner?: (text: string) => void
  /** From the first byte to the accepted login, and for later changes of keys; what the application needs to answer questions is not counted. */
  loginMs: number
  /** How long the server may take to open a channel, or to answer a request. */
  replyMs: number
  /** Between two signs of life asked of a silent server; after three without an answer it is lost. */
  keepaliveMs: number
  /** Ends the connecting. */
  signal?: AbortSignal
  /** New keys are exchanged when so many bytes went one way. */
  rekeyBytes?: number
  /** Bytes the server may send on a channel before they are read. */
  windowBytes?: number
}

export interface DirectTarget {
  host: string
  port: number
}

/**
 * Logs in over a stream, which is the connection's from then on. Rejects with what `verifyHostKey` or an answer threw, with the signal's
 * reason, with an `AuthError` when the server took nothing, or with the `SshError` that ended the connection.
 */
export async function connect(stream: Duplex, options: ConnectOptions): Promise<Client> {
  const { signal, verifyHostKey, loginMs } = options
  signal?.throwIfAborted()
  let refusal: { error: unknown } | undefined
  // Before the exchange of keys has its own, which says less.
  const deadline = new Deadline(loginMs, () =>
    transport.destroy(new TimeoutError('The server does not answer')),
  )
  const transport: Transport = new Transport(stream, {
    role: 'client',
    ident: `SSH-2.0-${options.ident}`,
    algorithms: options.algorithms,
    exchangeMs: loginMs,
    rekeyBytes: options.rekeyBytes,
    verifyHostKey: async (key) => {
      try {
        await verifyHostKey(key)
      } catch (error) {
        refusal = { error }
        throw new SshError('hostKeyNotVerifiable', 'The host key is not accepted', { cause: error })
      }
    },
  })
  const abort = () => {
    refusal ??= { error: signal?.reason }
    transport.destroy()
  }
  signal?.addEventListener('abort', abort, { once: true })
  const client = new Client(transport, options)
  try {
    await client.login(options.methods.map((method) => deadline.notCounting(method)))
  } catch (error) {
    transport.disconnect('byApplication', 'The login did not succeed')
    throw refusal ? refusal.error : error
  } finally {
    deadline.stop()
    signal?.removeEventListener('abort', abort)
  }
  return client
}

/** A connection that is logged in. */
export class Client {
  /** Settles once, with what went wrong where something did; never rejects. */
  readonly closed: Promise<SshError | undefined>
  readonly #transport: Transport
  readonly #channels: Channels
  readonly #options: ConnectOptions

  constructor(transport: Transport, options: ConnectOptions) {
    this.#transport = transport
    this.#options = options
    this.#channels = new Channels(transport, {
      ...defaultLimits,
      replyMs: options.replyMs,
      windowBytes: options.windowBytes ?? defaultLimits.windowBytes,
    })
    this.closed = this.#whenClosed()
  }

  /** For `connect`: once. */
  async login(methods: readonly AuthMethod[]): Promise<void> {
    const transport = this.#transport
    const { username, onBanner, keepaliveMs } = this.#options
    const auth = new ClientAuth(transport, { username, methods, onBanner })
    let keepalive: Keepalive | undefined
    transport.onPacket = (payload) => {
      keepalive?.heard()
      if (!auth.isDone) return auth.take(payload)
      if ((payload[0] ?? 0) < message.globalRequest) {
        throw new SshError('protocolError', 'An authentication after its end')
      }
      return this.#channels.take(payload)
    }
    const lost = async () => {
      throw (await transport.closed) ?? new SshError('connectionLost', 'The server closed the connection')
    }
    const run = async () => {
      await transport.ready
      await auth.run()
    }
    await Promise.race([run(), lost()])
    keepalive = new Keepalive(
      keepaliveMs,
      () => void this.#channels.ask('keepalive@openssh.com'),
      () => transport.destroy(new TimeoutError('The server does not answer any more')),
    )
    void this.closed.then(() => keepalive?.stop())
  }

  /** Rejects with a `ChannelError` when the server refuses or does not answer, or the connection is gone. */
  async openSession(): Promise<ClientSession> {
    return await this.#channels.open('session', (link, ends) => new ClientSession(link, ends))
  }

  /** The way on to another machine (RFC 4254, 7.2). Rejects as `openSession` does. */
  async openDirect({ host, port }: DirectTarget): Promise<Channel> {
    return await this.#channels.open(
      'direct-tcpip',
      (link, ends) => new Channel(link, ends),
      // Where the connection comes from is nobody's business there.
      (body) => body.string(host).uint32(port).string('127.0.0.1').uint32(0),
    )
  }

  /** Ends when the server has had all that was sent before, and all it sent before that is here; also when the connection is gone. */
  async roundTrip(): Promise<void> {
    await this.#channels.ask('keepalive@openssh.com')
  }

  /** What the server was let in with, in wire form. */
  get hostKey(): Buffer {
    return this.#transport.hostKey
  }

  /** Exchanges new keys; ends when they are in use. */
  async rekey(): Promise<void> {
    await this.#transport.rekey()
  }

  /** Says goodbye behind everything that was sent, and ends. */
  end(): void {
    this.#transport.disconnect('byApplication', 'Goodbye')
  }

  /** Ends at once. */
  destroy(): void {
    this.#transport.destroy()
  }

  async #whenClosed(): Promise<SshError | undefined> {
    const error = await this.#transport.closed
    this.#channels.close(error)
    return error
  }
}

/** A time limit that stands still while somebody thinks. */
class Deadline {
  readonly #timeoutMs: number
  readonly #expire: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(timeoutMs: number, expire: () => void) {
    this.#timeoutMs = timeoutMs
    this.#expire = expire
    this.#start()
  }

  notCounting(method: AuthMethod): AuthMethod {
    if (method.method !== 'keyboard-interactive') return method
    return {
      ...method,
      answer: async (questions) => {
        this.stop()
        try {
          return await method.answer(questions)
        } finally {
          this.#start()
        }
      },
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #start(): void {
    this.stop()
    this.#timer = setTimeout(this.#expire, this.#timeoutMs)
  }
}
