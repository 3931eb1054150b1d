import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { statementHeader } from '@sallyport/contract/gateway/statement'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import {
  terminalMessageMaxBytes,
  terminalSocketPath,
  terminalSubprotocol,
} from '@sallyport/contract/terminal-socket'
import { ConfigError, type ListenAddress } from '../../config.ts'
import type { Gateway } from '../../gateway.ts'
import { refusal } from './refusal.ts'
import { TerminalSocket } from './socket.ts'
import { serveTerminal } from './terminals.ts'

const socketsMax = 5000

/** A path of a request; undefined when it is none (`//`). */
const pathOf = (url: string | undefined) => URL.parse(url ?? '/', 'http://gateway')?.pathname

/** The listener for browsers; servers splice their visitors' sockets to it. */
export class WebListener {
  readonly #gateway: Gateway
  readonly #server: Server
  readonly #sockets: WebSocketServer
  readonly #ofPerson = new Map<string, Set<WebSocket>>()

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
    this.#server.on('upgrade', (request, socket, head) => {
      try {
        this.#upgrade(request, socket, head)
      } catch (error) {
        gateway.log.error({ err: error }, 'a browser terminal failed')
        socket.destroy()
      }
    })
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
    this.#server.on('error', (error) =>
      this.#gateway.log.error({ err: error }, 'the browser listener failed'),
    )
    const bound = this.#server.address()
    return addressForServers(typeof bound === 'object' && bound ? bound : undefined)
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#server.close()
    this.#server.closeAllConnections()
    await once(this.#server, 'close')
  }

  /** How many sockets this person has, with this one. */
  #countOf(userId: string, socket: WebSocket): number {
    const own = this.#ofPerson.get(userId) ?? new Set()
    this.#ofPerson.set(userId, own.add(socket))
    socket.once('close', () => {
      own.delete(socket)
      if (own.size === 0 && this.#ofPerson.get(userId) === own) this.#ofPerson.delete(userId)
    })
    return own.size
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim())
    if (pathOf(request.url) !== terminalSocketPath) return refuse(socket, '404 Not Found')
    if (!offered.includes(terminalSubprotocol)) return refuse(socket, '400 Bad Request')
    if (this.#sockets.clients.size >= socketsMax) return refuse(socket, '503 Service Unavailable')
    // Servers look at who comes and from which page; a browser that comes by itself has no statement.
    const statement = this.#gateway.statements.take(request.headers[statementHeader])
    if (!statement) return refuse(socket, '403 Forbidden')
    this.#sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const { user: profile, language, remote_addr, kind, target } = statement
      const { log } = this.#gateway
      const terminal = new TerminalSocket(webSocket, { id: randomUUID(), language, log })
      const visitor = { socket: terminal, profile, language, remote_addr }
      const max = 2 * this.#gateway.settings.TERMINAL_MAX_SESSIONS_PER_USER
      if (this.#countOf(profile.id, webSocket) > max) {
        visitor.socket.end(
          refusal(language, 'refused', gatewayMessage(language, 'too_many_sockets', { max })),
        )
        return
      }
      serveTerminal(this.#gateway, visitor, kind, target).catch((error: unknown) => {
        this.#gateway.log.error({ err: error }, 'a browser terminal failed')
        webSocket.terminate()
      })
    })
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Listening everywhere (`0.0.0.0`, `[::]`), it is reached where its link to the server comes from. */
function addressForServers(bound: AddressInfo | undefined): string {
  if (!bound) throw new Error('not listening')
  return `http://${bound.family === 'IPv6' ? `[${bound.address}]` : bound.address}:${bound.port}`
}
