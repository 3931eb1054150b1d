import { randomUUID } from 'node:crypto'
import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import { WebSocket, type RawData } from 'ws'
import {
  taskSchema,
  taskSocketPath as path,
  tasksSchema,
  type StatusReport,
  type TerminalTask,
} from '@sallyport/contract/gateway/reports'
import { diskOf } from '../recorder/disk.ts'
import type { Log } from '../log.ts'
import { signedHeaders } from './signature.ts'
import type { Transport } from './transport.ts'

export const statusEveryMs = 3000
const reconnectMs = 1000
const handshakeMs = 10_000
/** The server answers pings; a link without any sign of it for this long is dead. */
const silenceMaxMs = 10_000

export interface TaskSocketOptions {
  transport: Transport
  log: Log
  folder: string
  /** Ids of the sessions that are on the server's books and have not ended. */
  sessions: () => string[]
  /** Under which address servers reach the browser listener. */
  http: () => string
  onTask: (task: TerminalTask) => void
  /** The server does not let the link in. */
  onRefused: () => void
}

/** The standing link to the server: tells every 3 s what is alive, and receives kill tasks at once. */
export class TaskSocket {
  readonly bootId = randomUUID()
  readonly #options: TaskSocketOptions
  #socket: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #lastSign = 0
  /** Of this machine, as the link to the server has it. */
  #ownAddress = '127.0.0.1'
  #connected = false
  #stopped = false

  constructor(options: TaskSocketOptions) {
    this.#options = options
  }

  start(): void {
    this.#connect()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#socket?.close(1001)
    this.#socket?.terminate()
  }

  #connect(): void {
    const { transport, log } = this.#options
    clearTimeout(this.#timer)
    if (this.#stopped) return
    if (!transport.key) {
      this.#timer = setTimeout(() => this.#connect(), reconnectMs)
      return
    }
    const address = new URL(path, transport.origin)
    address.protocol = transport.origin.protocol === 'https:' ? 'wss:' : 'ws:'
    const socket = new WebSocket(address, {
      headers: signedHeaders(transport.key, { method: 'GET', target: path }),
      handshakeTimeout: handshakeMs,
      maxPayload: 4 * 1024 * 1024,
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.once('upgrade', ({ socket: { localAddress } }) => {
      this.#ownAddress = (localAddress ?? '127.0.0.1').replace(/^::ffff:/, '')
    })
    socket.once('open', () => {
      this.#connected = true
      this.#lastSign = Date.now()
      log.info('linked to the server')
      this.#beat(socket)
    })
    socket.on('pong', () => (this.#lastSign = Date.now()))
    socket.on('message', (data) => {
      this.#lastSign = Date.now()
      this.#receive(data)
    })
    socket.once('error', (error) => {
      if (this.#connected) log.warn({ err: error }, 'the link to the server broke')
    })
    socket.once('unexpected-response', (_request, response) => {
      log.warn({ status: response.statusCode }, 'the server refused the link')
      // The next call tells whether it was the key.
      if (response.statusCode === 401 || response.statusCode === 403) this.#options.onRefused()
      response.destroy()
      socket.terminate()
    })
    socket.once('close', () => {
      if (this.#connected && !this.#stopped) log.warn('lost the link to the server')
      this.#connected = false
      clearTimeout(this.#timer)
      if (!this.#stopped) this.#timer = setTimeout(() => this.#connect(), reconnectMs)
    })
  }

  #beat(socket: WebSocket): void {
    if (this.#stopped || socket.readyState !== WebSocket.OPEN) return
    if (Date.now() - this.#lastSign > silenceMaxMs) {
      socket.terminate()
      return
    }
    this.#timer = setTimeout(() => this.#beat(socket), statusEveryMs)
    socket.ping()
    this.#sendStatus(socket).catch((error: unknown) =>
      this.#options.log.error({ err: error }, 'status not sent'),
    )
  }

  /** Tells the server now, so that a session that began or ended is not waited for. */
  async report(): Promise<void> {
    if (this.#socket?.readyState === WebSocket.OPEN) await this.#sendStatus(this.#socket)
  }

  async #sendStatus(socket: WebSocket): Promise<void> {
    const disk = await diskOf(this.#options.folder)
    const sessions = this.#options.sessions()
    const payload: StatusReport = {
      sessions,
      session_online: sessions.length,
      cpu_load: Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 1000) / 1000,
      memory_used: Math.round((1 - freemem() / totalmem()) * 1000) / 10,
      disk_used: Math.round((1 - disk.free_bytes / disk.total_bytes) * 1000) / 10,
      disk,
      boot_id: this.bootId,
      http: this.#http(),
    }
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type: 'status', payload }))
  }

  #http(): string {
    const url = new URL(this.#options.http())
    if (url.hostname === '0.0.0.0' || url.hostname === '[::]')
      url.hostname = this.#ownAddress.includes(':') ? `[${this.#ownAddress}]` : this.#ownAddress
    return url.origin
  }

  #receive(data: RawData): void {
    const { log, onTask } = this.#options
    let list: unknown[]
    try {
      list = tasksSchema.parse(JSON.parse(textOfMessage(data)))
    } catch (error) {
      log.warn({ err: error }, 'the server sent something unreadable over its link')
      return
    }
    for (const item of list) {
      const task = taskSchema.safeParse(item)
      if (!task.success) {
        log.warn({ err: task.error }, 'the server sent a task that cannot be read')
        continue
      }
      try {
        onTask(task.data)
      } catch (error) {
        log.error({ err: error, task: task.data.name }, 'a task of the server was not done')
      }
    }
  }
}

/** The text of a websocket message, whatever parts it came in. */
export function textOfMessage(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString('utf8')
}
