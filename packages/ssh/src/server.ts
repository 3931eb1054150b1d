import type { Duplex } from 'node:stream'
import { hostboundExtension, signatureAlgorithmsExtension } from './auth/publickey.ts'
import {
  ServerAuth,
  type AuthRequest,
  type MethodName,
  type Refusal,
  type Verdict,
} from './auth/server-auth.ts'
import { Channel } from './channels/channel.ts'
import { Channels, type Opening } from './channels/channels.ts'
import type { OpenFailure } from './channels/errors.ts'
import { Keepalive } from './channels/keepalive.ts'
import { defaultLimits, unbegunWindowBytes } from './channels/limits.ts'
import { ServerSession } from './channels/server-session.ts'
import type { WindowBudget } from './channels/window-budget.ts'
import { keyAlgorithms as defaultKeyAlgorithms } from './keys/algorithms.ts'
import type { PrivateKey } from './keys/key.ts'
import type { Algorithms } from './transport/algorithms.ts'
import { Transport } from './transport/transport.ts'
import { SshError, TimeoutError, type DisconnectReason } from './wire/errors.ts'
import { message } from './wire/messages.ts'

export interface ServeOptions {
  /** Of our software: `Sallyport_1.0`, no blanks. */
  ident: string
  /** One of each kind at most. */
  hostKeys: readonly PrivateKey[]
  algorithms?: Algorithms
  /** Signature algorithms of clients' keys that are taken; those of certificates only where they are named here. */
  keyAlgorithms?: readonly string[]
  /** Judges what a client shows, one after the other. What it throws ends the connection. */
  authenticate: (request: AuthRequest) => Promise<Verdict>
  /** Methods that can go on after this verdict, told to the client. */
  methods: (verdict: Refusal) => readonly MethodName[]
  /** So many wrong attempts end the connection. */
  maxFailures: number
  /** The client is in, as this user. */
  onLogin: (username: string) => void
  /** The client wants a channel; not before it is in. */
  onChannel: (opening: ChannelOpening) => void
  /** From the first byte to the login, and for later changes of keys. */
  loginMs: number
  /** How long the client may take to answer a request, and the application to accept or refuse a channel. */
  replyMs: number
  /** Between two signs of life asked of a silent client; after three without an answer it is lost. */
  keepaliveMs: number
  /** New keys are exchanged when so many bytes went one way. */
  rekeyBytes?: number
  /** Bytes the client may send on a channel before they are read; of a session once something runs in it. */
  windowBytes?: number
}

interface Refusable {
  /** `text`: a sentence for the person, in ASCII, for OpenSSH shows others with escapes. */
  refuse(reason: OpenFailure, text: string): void
}

/** A channel the client wants; exactly one of its functions is to be called, now or later. One that is accepted too late is closed already. */
export type ChannelOpening =
  /** `budget`: what this session's window and those of others have to fit into. */
  | (Refusable & { type: 'session'; accept(budget?: WindowBudget): ServerSession })
  /** A way on to another machine (RFC 4254, 7.2). */
  | (Refusable & { type: 'direct-tcpip'; host: string; port: number; accept(): Channel })
  | (Refusable & { type: 'other' })

const maxHostBytes = 1024

/** Serves SSH on a stream, which is the connection's from then on. */
export function serve(stream: Duplex, options: ServeOptions): ServerConnection {
  const { keyAlgorithms = defaultKeyAlgorithms } = options
  const transport = new Transport(stream, {
    role: 'server',
    ident: `SSH-2.0-${options.ident}`,
    algorithms: options.algorithms,
    hostKeys: options.hostKeys,
    exchangeMs: options.loginMs,
    rekeyBytes: options.rekeyBytes,
    extensions: new Map([
      [signatureAlgorithmsExtension, keyAlgorithms.join(',')],
      [hostboundExtension, '0'],
    ]),
  })
  return new ServerConnection(transport, { ...options, keyAlgorithms })
}

/** A client's connection. */
export class ServerConnection {
  /** Settles once, with what went wrong where something did; never rejects. */
  readonly closed: Promise<SshError | undefined>
  readonly #transport: Transport
  readonly #auth: ServerAuth
  readonly #channels: Channels
  readonly #options: ServeOptions
  #loginTimer: NodeJS.Timeout | undefined
  #keepalive: Keepalive | undefined
  #areSessionsOver = false

  constructor(transport: Transport, options: ServeOptions & { keyAlgorithms: readonly string[] }) {
    this.#transport = transport
    this.#options = options
    this.#channels = new Channels(transport, {
      ...defaultLimits,
      windowBytes: options.windowBytes ?? defaultLimits.windowBytes,
      replyMs: options.replyMs,
      onOpen: (opening) => this.#onOpen(opening),
      onRequest: (name) => this.#onRequest(name),
    })
    this.#auth = new ServerAuth(transport, {
      ...options,
      onSuccess: (username) => this.#onSuccess(username),
    })
    transport.onPacket = (payload) => this.#take(payload)
    this.extend(options.loginMs)
    this.closed = this.#whenClosed()
  }

  /** The client's version, printable. */
  get ident(): string {
    return this.#transport.peer.ident
  }

  /** A text for the person before the login is done (RFC 4252, 5.4); lines end with `\n`. */
  banner(text: string): void {
    this.#auth.banner(text)
  }

  /** The person is at it: the login may take so long from now on. */
  extend(ms: number): void {
    clearTimeout(this.#loginTimer)
    if (this.#auth.isDone) return
    this.#loginTimer = setTimeout(() => this.disconnect('byApplication', 'The login took too long'), ms)
  }

  /** Exchanges new keys; ends when they are in use. */
  async rekey(): Promise<void> {
    await this.#transport.rekey()
  }

  /** Says why behind everything that was sent, and ends. */
  disconnect(reason: DisconnectReason, text: string): void {
    this.#transport.disconnect(reason, text)
  }

  /** Ends at once. */
  destroy(): void {
    this.#transport.destroy()
  }

  #take(payload: Buffer): void | Promise<void> {
    this.#keepalive?.heard()
    if ((payload[0] ?? 0) < message.globalRequest) return this.#auth.take(payload)
    if (!this.#auth.isDone) throw new SshError('protocolError', 'A message came when it was not its turn')
    return this.#channels.take(payload)
  }

  #onSuccess(username: string): void {
    clearTimeout(this.#loginTimer)
    this.#keepalive = new Keepalive(
      this.#options.keepaliveMs,
      () => void this.#channels.ask('keepalive@openssh.com'),
      () => this.#transport.destroy(new TimeoutError('The client does not answer any more')),
    )
    this.#options.onLogin(username)
  }

  #onOpen(opening: Opening): void {
    const { onChannel } = this.#options
    const refuse = (reason: OpenFailure, text: string) => opening.refuse(reason, text)
    if (opening.type === 'session') {
      if (this.#areSessionsOver) {
        throw new SshError('protocolError', 'A session behind the announcement that there are no more')
      }
      const { windowBytes = defaultLimits.windowBytes } = this.#options
      const accept = (budget?: WindowBudget) =>
        opening.accept(
          (link, ends) => new ServerSession(link, ends, { windowBytes, budget }),
          Math.min(unbegunWindowBytes, windowBytes),
        )
      onChannel({ type: 'session', accept, refuse })
    } else if (opening.type === 'direct-tcpip') {
      const { body } = opening
      const host = body.string(maxHostBytes).toString('utf8')
      const port = body.uint32()
      const accept = () => opening.accept((link, ends) => new Channel(link, ends))
      onChannel({ type: 'direct-tcpip', host, port, accept, refuse })
    } else onChannel({ type: 'other', refuse })
  }

  /** OpenSSH's PROTOCOL, 2.2: a client says so before what it forwards could be taken over. */
  #onRequest(name: string): boolean {
    if (name === 'no-more-sessions@openssh.com') this.#areSessionsOver = true
    return name === 'no-more-sessions@openssh.com' || name === 'keepalive@openssh.com'
  }

  async #whenClosed(): Promise<SshError | undefined> {
    const error = await this.#transport.closed
    clearTimeout(this.#loginTimer)
    this.#keepalive?.stop()
    this.#channels.close(error)
    return error
  }
}
