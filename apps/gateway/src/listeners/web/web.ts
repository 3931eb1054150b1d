import { randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { isIP, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { languageOf } from '@sallyport/contract/messages/language'
import {
  terminalMessageMaxBytes,
  terminalSocketPath,
  terminalSubprotocol,
} from '@sallyport/contract/terminal-socket'
import { ConfigError, type ListenAddress } from '../../config.ts'
import type { Gateway } from '../../gateway.ts'
import { TerminalSocket } from './socket.ts'
import { refusal } from './refusal.ts'
import { serveTerminal, type Visitor } from './terminals.ts'

const socketsMax = 5000
const idPattern = /^[0-9a-f-]{36}$/i

/** The listener for browsers; servers splice their visitors' sockets to it. */
export class WebListener {
  readonly #gateway: Gateway
  readonly #server: Server
  readonly #sockets: WebSocketServer
  #serverAddresses = new Set<string>()

  constructor(gateway: Gateway) {
    this.#gateway = gateway
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: 2 * terminalMessageMaxBytes,
      perMessageDeflate: false,
      handleProtocols: (protocols) => (protocols.has(terminalSubprotocol) ? terminalSubprotocol : false),
    })
    this.#server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
      const isHealth = request.method === 'GET' && request.url === '/koko/health/'
      response.writeHead(isHealth ? 200 : 404, { 'content-type': 'application/json' })
      response.end(isHealth ? JSON.stringify({ timestamp: Math.floor(Date.now() / 1000) }) : '{}')
    })
    this.#server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** Listens, and returns the address under which servers reach it. Throws ConfigError when the port is taken. */
  async start(address: ListenAddress): Promise<string> {
    this.#server.listen(address.port, address.host)
    try {
      await once(this.#server, 'listening')
    } catch (error) {
      throw new ConfigError(
        `SALLYPORT_GATEWAY_HTTP: cannot listen on ${address.host}:${address.port}: choose another address or port`,
        { cause: error },
      )
    }
    await this.#resolveServer()
    const bound = this.#server.address()
    return addressForServers(typeof bound === 'object' && bound ? bound : undefined)
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  async #resolveServer(): Promise<void> {
    const { hostname } = this.#gateway.config.api
    try {
      const found = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })
      this.#serverAddresses = new Set(found.map((entry) => entry.address))
    } catch (error) {
      this.#gateway.log.warn({ err: error }, 'the server name is not known at the moment')
    }
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const url = new URL(request.url ?? '/', 'http://gateway')
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
    if (url.pathname !== terminalSocketPath) return refuse(socket, '404 Not Found')
    if (!offered.includes(terminalSubprotocol)) return refuse(socket, '400 Bad Request')
    if (this.#sockets.clients.size >= socketsMax) return refuse(socket, '503 Service Unavailable')
    if (!this.#isOwnPage(request)) return refuse(socket, '403 Forbidden')
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#serve(webSocket, request, url.searchParams).catch((error: unknown) => {
        this.#gateway.log.error({ err: error }, 'a browser terminal failed')
        webSocket.terminate()
      })
    })
  }

  /** A server looked at the Origin before it spliced; a browser that came by itself must come from a page of this address. */
  #isOwnPage(request: IncomingMessage): boolean {
    const { origin, host } = request.headers
    if (origin === undefined || this.#forwardedFor(request) !== undefined) return true
    return URL.canParse(origin) && new URL(origin).host === host
  }

  /** The visitor's address, where a server named it; anybody else's word is not taken. */
  #forwardedFor(request: IncomingMessage): string | undefined {
    const peer = plainAddress(request.socket.remoteAddress)
    const isServer = peer === '::1' || peer.startsWith('127.') || this.#serverAddresses.has(peer)
    const header = request.headers['x-forwarded-for']
    const named = typeof header === 'string' ? header.split(',')[0]?.trim() : undefined
    return isServer && named !== undefined && isIP(named) !== 0 ? named : undefined
  }

  async #serve(webSocket: WebSocket, request: IncomingMessage, query: URLSearchParams): Promise<void> {
    const cookie = request.headers.cookie ?? ''
    const language = languageOf(/(?:^|;\s*)django_language=([\w-]+)/.exec(cookie)?.[1]) ?? 'en'
    const socket = new TerminalSocket(webSocket, randomUUID())
    const profile = await this.#profile(cookie).catch((error: unknown) => {
      this.#gateway.log.warn({ err: error }, 'could not ask the server who a visitor is')
      return 'away' as const
    })
    if (profile === 'away') return socket.end(refusal(language, 'server_away'))
    if (!profile) return socket.end(refusal(language, 'not_logged_in'))
    const visitor: Visitor = {
      socket,
      profile,
      language,
      remote_addr: this.#forwardedFor(request) ?? plainAddress(request.socket.remoteAddress),
    }
    const id = query.get('token') ?? query.get('target_id') ?? ''
    if (!idPattern.test(id)) return socket.end(refusal(language, 'session_not_found'))
    await serveTerminal(this.#gateway, visitor, kindOf(query), id)
  }

  async #profile(cookie: string): ReturnType<Gateway['api']['profileOfCookies']> {
    return cookie === '' ? undefined : this.#gateway.api.profileOfCookies(cookie)
  }
}

function kindOf(query: URLSearchParams): 'token' | 'monitor' | 'reattach' {
  const type = query.get('type')
  return type === 'monitor' || type === 'reattach' ? type : 'token'
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '')
}

function addressForServers(bound: AddressInfo | undefined): string {
  if (!bound) throw new Error('not listening')
  const isEverywhere = bound.address === '0.0.0.0' || bound.address === '::'
  const host = isEverywhere ? (ownAddress() ?? '127.0.0.1') : bound.address
  return `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`
}

function ownAddress(): string | undefined {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find((address) => address.family === 'IPv4' && !address.internal)?.address
}
