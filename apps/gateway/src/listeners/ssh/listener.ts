import { once } from 'node:events'
import { createServer, isIPv6, type BlockList, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import {
  Admission,
  defaultAdmission,
  parsePrivateKey,
  serve,
  takeProxyHeader,
  type AdmissionLimits,
  type ChannelOpening,
  type PrivateKey,
  type ServerConnection,
  plainAddress,
} from '@sallyport/ssh'
import { SOCKET_BUFFER_BYTES } from '../../streams/sockets.ts'
import { serverAlgorithms } from './algorithms.ts'
import { Authentication, MAX_FAILURES } from './authentication.ts'
import { channelServer } from './connection.ts'
import { Languages } from './languages.ts'
import { People } from './people.ts'
import { channelsOf } from './serve.ts'
import type { Directory, OpenSession } from './services.ts'

export interface SshListenerOptions {
  host: string
  /** 0: any free one. */
  port: number
  directory: Directory
  openSession: OpenSession
  /** Protocols a session can be opened with from here. */
  protocols: readonly string[]
  log: Logger
  limits?: AdmissionLimits
  /** Load balancers, whose connections begin with a PROXY header. */
  proxies?: BlockList
  loginTimeoutMs?: number
  keepaliveMs?: number
  failureDelayMs?: number
}

/**
 * What OpenSSH's client goes by: only a server whose version begins so is told that nobody reads the output any more, and
 * `ssh … | head` would never end with another (docs/decisions/0012).
 */
const ident = 'OpenSSH_compatible_Sallyport'

const LOGIN_TIMEOUT_MS = 60_000
const FAILURE_DELAY_MS = 500
const KEEPALIVE_MS = 30_000
const REPLY_MS = 30_000
const PROXY_HEADER_MS = 10_000

/** Takes SSH connections of people: who they are, then what each of their channels asks for. */
export class SshListener {
  readonly #options: SshListenerOptions
  readonly #server: Server
  /** Not before there are host keys. */
  #hostKeys: PrivateKey[] | undefined
  readonly #admission: Admission
  readonly #languages = new Languages()
  readonly #people = new People()
  readonly #sockets = new Set<Socket>()

  private constructor(options: SshListenerOptions) {
    this.#options = options
    this.#admission = new Admission(options.limits ?? defaultAdmission)
    this.#server = createServer({ highWaterMark: SOCKET_BUFFER_BYTES, noDelay: true }, (socket) =>
      this.#onSocket(socket),
    )
  }

  /** Takes its address; who comes before `serve` is sent away. Rejects with the system's error (`EADDRINUSE`, `EACCES` …). */
  static async start(options: SshListenerOptions): Promise<SshListener> {
    const listener = new SshListener(options)
    listener.#server.listen(options.port, options.host)
    await once(listener.#server, 'listening')
    listener.#server.on('error', (error) => options.log.error({ err: error }, 'the ssh listener failed'))
    return listener
  }

  /** Begins to answer, with these private keys as text. */
  serve(hostKeys: string[]): void {
    this.#hostKeys = hostKeys.map((text) => parsePrivateKey(text))
  }

  get port(): number {
    const address = this.#server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  }

  /** No new connections; those that are there go on. */
  stopListening(): void {
    this.#server.close()
  }

  /**
   * What this person's connections were signed in with before that moment (the server's clock) counts no more: they open nothing from now on, and end once their sessions had the
   * time to say why they ended. A sign-in that is under way counts as one of before.
   */
  disconnect(personId: string, beforeMs: number): void {
    this.#people.disconnect(personId, beforeMs)
  }

  /** Ends everything. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #onSocket(socket: Socket): void {
    if (!this.#hostKeys) {
      socket.destroy()
      return
    }
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    const address = plainAddress(socket.remoteAddress ?? '')
    if (!this.#options.proxies?.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
      this.#admit(socket, address)
      return
    }
    this.#takeHeader(socket).catch((error: unknown) => {
      this.#options.log.debug({ err: error, remote_addr: address }, 'no ssh connection')
      socket.destroy()
    })
  }

  async #takeHeader(socket: Socket): Promise<void> {
    socket.on('error', () => socket.destroy())
    const address = await takeProxyHeader(socket, PROXY_HEADER_MS)
    this.#admit(socket, address ?? plainAddress(socket.remoteAddress ?? ''))
    socket.resume()
  }

  #admit(socket: Socket, address: string): void {
    if (socket.destroyed) return
    if (!this.#admission.admit(socket, address)) {
      this.#options.log.warn({ remote_addr: address }, 'too many ssh connections: refused')
      socket.destroy()
      return
    }
    this.#serve(socket, address)
  }

  /** `remoteAddress`: of the client, behind a load balancer too. */
  #serve(socket: Socket, remoteAddress: string): void {
    const { directory, log, keepaliveMs = KEEPALIVE_MS } = this.#options
    const beganAt = performance.now()
    const gone = new AbortController()
    let onChannel: ((opening: ChannelOpening) => void) | undefined
    const authentication = new Authentication({
      directory,
      log,
      remoteAddress,
      language: this.#languages.ofAddress(remoteAddress),
      mayEnter: ({ id }) => this.#people.connectionsOf(id) < directory.settings().max_sessions,
      banner: (line) => connection.banner(`${line}\n`),
      disconnect: () => end(),
      extend: (ms) => connection.extend(ms),
      failureDelayMs: this.#options.failureDelayMs ?? FAILURE_DELAY_MS,
      signal: gone.signal,
    })
    const end = () => connection.disconnect('byApplication', 'The connection is ended')
    const onLogin = () => {
      this.#admission.loggedIn(socket)
      const { identity } = authentication
      const at = { beganAt, signedInMs: authentication.signedInMs }
      const entered = identity && this.#people.enter(identity.person.id, at, end)
      if (!entered) {
        end()
        return
      }
      void connection.closed.then(entered.leave)
      const { username } = identity.person
      log.info(
        { user: username, remote_addr: remoteAddress, login: identity.kind, client: connection.ident },
        'ssh login',
      )
      const shared = { ...this.#options, languages: this.#languages }
      onChannel = channelServer(channelsOf(identity, remoteAddress, shared), entered)
    }
    const connection: ServerConnection = serve(socket, {
      ident,
      hostKeys: this.#hostKeys ?? [],
      algorithms: serverAlgorithms,
      authenticate: (request) => authentication.authenticate(request),
      methods: (verdict) => authentication.methods(verdict),
      maxFailures: MAX_FAILURES,
      onLogin,
      onChannel: (opening) => onChannel?.(opening),
      loginMs: this.#options.loginTimeoutMs ?? LOGIN_TIMEOUT_MS,
      replyMs: REPLY_MS,
      keepaliveMs,
    })
    void connection.closed.then((error) => {
      gone.abort()
      if (error) log.debug({ err: error, remote_addr: remoteAddress }, 'ssh connection')
      return undefined
    })
  }
}
