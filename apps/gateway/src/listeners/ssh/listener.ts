import { once } from 'node:events'
import { createServer, isIPv6, type BlockList, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Connection } from 'ssh2'
import { coalesceWrites, SOCKET_BUFFER_BYTES } from '../../streams/coalesce.ts'
import { enforceWindows, sendBanner, socketOf, SshServer } from '../../streams/ssh2.ts'
import { Admission, defaultLimits, type AdmissionLimits } from './admission.ts'
import { serverAlgorithms } from './algorithms.ts'
import { Authentication } from './authentication.ts'
import { serveChannels } from './connection.ts'
import { Languages } from './languages.ts'
import { People } from './people.ts'
import { takeProxyHeader } from './proxy-protocol.ts'
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

const LOGIN_TIMEOUT_MS = 60_000
const FAILURE_DELAY_MS = 500
const KEEPALIVE_MS = 30_000
const PROXY_HEADER_MS = 10_000

/** Takes SSH connections of people: who they are, then what each of their channels asks for. */
export class SshListener {
  readonly #options: SshListenerOptions
  readonly #server: Server
  /** Not before there are host keys. */
  #ssh: InstanceType<typeof SshServer> | undefined
  readonly #admission: Admission
  readonly #languages = new Languages()
  readonly #people = new People()
  readonly #waiting = new WeakMap<object, Waiting>()
  readonly #sockets = new Set<Socket>()

  private constructor(options: SshListenerOptions) {
    this.#options = options
    this.#admission = new Admission(options.limits ?? defaultLimits)
    this.#server = createServer({ highWaterMark: SOCKET_BUFFER_BYTES }, (socket) => this.#onSocket(socket))
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
    this.#ssh = new SshServer(
      {
        hostKeys,
        algorithms: serverAlgorithms,
        ident: 'Sallyport',
        keepaliveInterval: this.#options.keepaliveMs ?? KEEPALIVE_MS,
        keepaliveCountMax: 3,
      },
      (connection) => this.#onConnection(connection),
    )
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
   * What this person's connections were signed in with counts no more: they open nothing from now on, and end once their sessions had the
   * time to say why they ended. A sign-in that is under way counts as one of before.
   */
  disconnect(personId: string): void {
    this.#people.disconnect(personId)
  }

  /** Ends everything. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #onSocket(socket: Socket): void {
    if (!this.#ssh) {
      socket.destroy()
      return
    }
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    const address = plainAddress(socket.remoteAddress)
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
    this.#admit(socket, plainAddress(address))
    socket.resume()
  }

  #admit(socket: Socket, address: string): void {
    if (socket.destroyed) return
    if (!this.#admission.admit(socket, address)) {
      this.#options.log.warn({ remote_addr: address }, 'too many ssh connections: refused')
      socket.destroy()
      return
    }
    const waiting = new Waiting(socket, address, this.#options.loginTimeoutMs ?? LOGIN_TIMEOUT_MS)
    socket.once('close', () => waiting.stop())
    this.#waiting.set(socket, waiting)
    this.#ssh?.injectSocket(coalesceWrites(socket))
  }

  #onConnection(connection: Connection): void {
    const { directory, log } = this.#options
    const socket = socketOf(connection)
    const waiting = this.#waiting.get(socket)
    if (!waiting) throw new Error('A connection nobody admitted')
    const remoteAddress = waiting.address
    const abort = new AbortController()
    enforceWindows(connection)
    connection.on('error', (error) => {
      log.debug({ err: error, remote_addr: remoteAddress }, 'ssh connection')
      // A goodbye would wait for ever behind what a dead client does not read.
      if ('level' in error && error.level === 'client-timeout') socket.destroy()
    })
    connection.once('close', () => abort.abort())
    const authentication = new Authentication({
      directory,
      log,
      remoteAddress,
      language: this.#languages.ofAddress(remoteAddress),
      mayEnter: ({ id }) => this.#people.connectionsOf(id) < directory.settings().max_sessions,
      banner: (line) => sendBanner(connection, line),
      disconnect: () => connection.end(),
      extend: (ms) => waiting.extend(ms),
      failureDelayMs: this.#options.failureDelayMs ?? FAILURE_DELAY_MS,
      signal: abort.signal,
    })
    connection.on('authentication', (context) => void authentication.handle(context))
    connection.once('ready', () => {
      waiting.stop()
      this.#admission.loggedIn(waiting.socket)
      const { identity } = authentication
      if (!identity) {
        connection.end()
        return
      }
      const entered = this.#people.enter(identity.person.id, waiting.beganAt, () => connection.end())
      if (!entered) {
        connection.end()
        return
      }
      connection.once('close', entered.leave)
      log.info(
        { user: identity.person.username, remote_addr: remoteAddress, login: identity.kind },
        'ssh login',
      )
      serveChannels(
        connection,
        channelsOf(identity, remoteAddress, { ...this.#options, languages: this.#languages }),
        entered.isOver,
      )
    })
    connection.on('request', (_accept, reject) => reject?.())
  }
}

/** As people write it: IPv4 on a socket for both families too. */
const plainAddress = (address: string | undefined) => (address ?? '').replace(/^::ffff:/, '')

/** A connection that has not logged in: it has a time limit. */
class Waiting {
  readonly socket: Socket
  /** Of the client, behind a load balancer too. */
  readonly address: string
  readonly beganAt = performance.now()
  #timer: NodeJS.Timeout

  constructor(socket: Socket, address: string, timeoutMs: number) {
    this.socket = socket
    this.address = address
    this.#timer = setTimeout(() => socket.destroy(), timeoutMs)
  }

  extend(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.socket.destroy(), ms)
  }

  /** Logged in, or gone. */
  stop(): void {
    clearTimeout(this.#timer)
  }
}
