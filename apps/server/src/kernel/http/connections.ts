/** Bounds of connections, so that one peer takes neither everybody's turn nor every descriptor of the process. */
import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@sallyport/ssh/arrival/address'
import { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { answerInWords } from './unreadable.ts'

export interface ConnectionBounds {
  /** Open at once. */
  total: number
  /** … of one address, or one network of IPv6; a proxy on this machine stands for many. */
  perAddress: number
  /** Requests of one connection that wait for the one before them. Browsers and proxies send the next one after its answer. */
  waiting: number
}

const mostConnections = 8192
const lingerMs = 1000
const silentMs = 120_000
const timeouts = {
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  requestTimeout: 120_000,
  keepAliveTimeout: 72_000,
}
const logEveryMs = 60_000

/** Half of what the process may open is for connections: files, the database and the gateways need the rest. */
export function connectionBounds(): ConnectionBounds {
  const total = Math.min(mostConnections, Math.floor(openFilesMost() / 2))
  return { total, perAddress: Math.floor(total / 4), waiting: 8 }
}

function openFilesMost(): number {
  if (process.platform !== 'linux') return mostConnections
  const line = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
  return line ? Number(line[1]) : Infinity
}

interface Surroundings {
  log: Logger
  /** Whether a websocket is served at this address. */
  isSocket: (url: string) => boolean
}

/** A server with these bounds: who goes beyond is cut off, and told to the log once a minute. */
export function boundedServer(
  bounds: ConnectionBounds,
  { log, isSocket }: Surroundings,
  answer: RequestListener,
): Server {
  let toldAt = -Infinity
  const tell: Tell = (address, why) => {
    if (performance.now() - toldAt < logEveryMs) return
    toldAt = performance.now()
    log.warn({ address }, why)
  }
  const queues: Queues = new WeakMap()
  const counted = (listener: RequestListener) => inTurn(listener, { queues, most: bounds.waiting, tell })
  // Nothing but websockets is spoken besides, and none before what was asked ahead of it is answered: else it is a request like others.
  const shouldUpgradeCallback = (request: IncomingMessage) =>
    request.method === 'GET' &&
    request.headers.upgrade?.toLowerCase() === 'websocket' &&
    !hasBody(request) &&
    isSocket(request.url ?? '') &&
    !queues.has(request.socket)
  const server = createServer({ ...timeouts, shouldUpgradeCallback }, counted(answer))
  // Node would answer them uncounted.
  server.on(
    'checkExpectation',
    counted((_request, response) => response.writeHead(417).end()),
  )
  server.setTimeout(silentMs)
  server.maxConnections = bounds.total
  server.on('drop', (dropped) =>
    tell(dropped?.remoteAddress, `${bounds.total} connections are open: new ones are refused`),
  )
  boundAddresses(server, bounds.perAddress, tell)
  return server
}

type Tell = (address: string | undefined, why: string) => void

function boundAddresses(server: Server, most: number, tell: Tell): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress: address } = socket
    if (address === undefined || isLoopback(address)) return
    const network = networkOf(address)
    const count = (open.get(network) ?? 0) + 1
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
    if (count <= most) return
    tell(address, `${most} connections of one address are open: new ones are refused`)
    socket.destroy()
  })
}

const isLoopback = (address: string) => /^(?:::ffff:)?127\.|^::1$/.test(address)

/** Those of a connection that wait for the one before them. */
type Queues = WeakMap<Socket, Waiting[]>
interface Waiting {
  hasBody: boolean
  begin: () => void
}

/**
 * One request of a connection after the other, the next once the answer before it is taken. Node hands over all of what it has read:
 * whoever sends ten thousand at once, or reads no answer, would have all of them made before anybody else's.
 */
function inTurn(
  answer: RequestListener,
  { queues, most, tell }: { queues: Queues; most: number; tell: Tell },
): RequestListener {
  return (request, response) => {
    const { socket } = request
    // It was read along with one that was too many.
    if (socket.destroyed) return
    const queue = queues.get(socket)
    const isKept = hasBody(request)
    // The body of one that waits is kept: of one alone.
    if (queue && (queue.length >= most || (isKept && queue.some((one) => one.hasBody)))) {
      tell(
        socket.remoteAddress,
        `more than ${most} requests of one connection wait, or two bodies: it is closed`,
      )
      socket.destroy()
      return
    }
    let hasBegun = false
    if (request.headers.upgrade !== undefined) endBehind(request, response)
    if (isChunked(request)) boundChunks(request, () => hasBegun && !response.headersSent, tell)
    const next = () => {
      const waiting = socket.destroyed ? undefined : queues.get(socket)?.shift()
      if (waiting) waiting.begin()
      else queues.delete(socket)
    }
    const begin = () => {
      hasBegun = true
      response.once('close', next)
      response.once('finish', () => endLeftover(request))
      answer(request, response)
    }
    if (queue) queue.push({ hasBody: isKept, begin })
    else {
      queues.set(socket, [])
      begin()
    }
  }
}

const isChunked = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined

const hasBody = (request: IncomingMessage) =>
  isChunked(request) || Number(request.headers['content-length'] ?? 0) > 0

/** Where an upgrade was not taken, Node's parser passes over what follows without a word: it is the last request of its connection. */
function endBehind(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  if (!hasBody(request)) setImmediate(() => request.socket.pause())
}

const smallChunks = 64
const bytesPerChunk = 64

/**
 * Each chunk of a body costs as much as a thousand bytes of it: where most hold next to nothing the rest is not read.
 * `isAwaited`: whether what is said now is the answer to this request.
 */
function boundChunks(request: IncomingMessage, isAwaited: () => boolean, tell: Tell): void {
  const { socket } = request
  const push = request.push.bind(request)
  let left = smallChunks
  request.push = (chunk: Buffer | null) => {
    if (left < 0) return false
    if (chunk === null) return push(null)
    left += chunk.length / bytesPerChunk - 1
    if (left >= 0) return push(chunk)
    tell(
      socket.remoteAddress,
      `a body comes in chunks of less than ${bytesPerChunk} bytes: its connection is closed`,
    )
    const tooSmall = new ApiError(400, 'chunks_too_small', { params: { bytes: bytesPerChunk } })
    if (isAwaited()) socket.write(answerInWords(tooSmall, request.headers['accept-language']))
    endSoon(socket)
    return false
  }
}

/** The peer has a moment to read what was answered; nothing more is read. */
function endSoon(socket: Socket): void {
  socket.pause()
  setTimeout(() => socket.destroy(), lingerMs)
}

/**
 * What nobody read of a body in chunks is not read behind the answer either, for each chunk may be a byte: the peer has a moment to read the
 * answer, then the connection ends. Node goes on reading once the answer is sent, so it is stopped after that.
 */
function endLeftover(request: IncomingMessage): void {
  const { socket } = request
  if (request.complete || !isChunked(request)) return
  setImmediate(() => {
    if (request.complete || socket.destroyed) return
    endSoon(socket)
  })
}
