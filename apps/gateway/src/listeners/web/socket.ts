import { WebSocket, type RawData } from 'ws'
import { countValues } from '@sallyport/contract/json-values'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import {
  terminalAckSchema,
  terminalAckWindowBytes,
  terminalMessageSchema,
  type TerminalEnd,
  type TerminalMessage,
  type TerminalMessageType,
} from '@sallyport/contract/terminal-socket'
import { textOfMessage } from '../../api/task-socket.ts'
import type { Log } from '../../log.ts'

const bufferedMaxBytes = 512 * 1024
const pingEveryMs = 15_000
const silenceMaxMs = 45_000

export interface TerminalSocketOptions {
  id: string
  language: Language
  log: Log
}

/** One browser's socket: envelopes and bytes, with backpressure from the network and from the page. */
export class TerminalSocket {
  readonly id: string
  onMessage: ((message: TerminalMessage) => void) | undefined
  onBytes: ((bytes: Buffer) => void) | undefined
  /** Once; `isOrderly` when the browser said goodbye. */
  onClose: ((isOrderly: boolean) => void) | undefined
  readonly #socket: WebSocket
  readonly #timer: NodeJS.Timeout
  readonly #language: Language
  readonly #log: Log
  #lastSign = performance.now()
  #sentBytes = 0
  #ackedBytes: number | undefined
  #isGoodbye = false
  #isClosed = false
  #waiting: (() => void)[] = []

  constructor(socket: WebSocket, { id, language, log }: TerminalSocketOptions) {
    this.#socket = socket
    this.id = id
    this.#language = language
    this.#log = log
    socket.on('message', (data, isBinary) => {
      try {
        this.#receive(data, isBinary)
      } catch (error) {
        log.error({ err: error }, 'a browser terminal failed')
        socket.terminate()
      }
    })
    socket.on('pong', () => (this.#lastSign = performance.now()))
    socket.on('error', () => socket.terminate())
    socket.once('close', (code) => this.#closed(code))
    this.#timer = setInterval(() => this.#beat(), pingEveryMs)
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  send(type: TerminalMessageType, data: unknown = ''): void {
    if (!this.isOpen) return
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    this.#socket.send(JSON.stringify({ id: this.id, type, data: text }))
  }

  /** Resolves when the browser can take more, or is gone. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    if (!this.isOpen) return
    this.#sentBytes += bytes.byteLength
    this.#socket.send(bytes, { binary: true }, () => this.#release())
    while (this.#isFull) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  get #isFull(): boolean {
    if (!this.isOpen) return false
    const unacked = this.#ackedBytes === undefined ? 0 : this.#sentBytes - this.#ackedBytes
    return this.#socket.bufferedAmount > bufferedMaxBytes || unacked > terminalAckWindowBytes
  }

  /** Stops reading what the person types until `resume`. */
  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    if (this.#socket.isPaused) this.#socket.resume()
  }

  /** Says why, and closes. */
  end(end: TerminalEnd): void {
    this.send('TERMINAL_END', end)
    if (end.reason === 'refused' || end.reason === 'not_found') this.send('TERMINAL_ERROR', end.message)
    this.send('CLOSE')
    this.#isGoodbye = true
    this.resume()
    this.#socket.close(1000)
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#lastSign = performance.now()
    if (this.#isClosed) return
    if (isBinary) {
      this.onBytes?.(Buffer.isBuffer(data) ? data : Buffer.from(textOfMessage(data), 'latin1'))
      return
    }
    const message = parseMessage(textOfMessage(data))
    if (message === 'unknown') return
    if (!message) {
      this.#log.warn({ bytes: textOfMessage(data).length }, 'a browser terminal sent what is no message')
      this.send('TERMINAL_ERROR', gatewayMessage(this.#language, 'not_understood'))
      this.#socket.close(1003)
      return
    }
    if (message.type === 'PING') this.#pong()
    else if (message.type === 'TERMINAL_ACK') this.#ack(message.data)
    else if (message.type === 'CLOSE') {
      this.#socket.close(1000)
      // However long the page takes to close its side.
      this.#closed(1000)
    } else this.onMessage?.(message)
  }

  /** A page that does not read is not answered. */
  #pong(): void {
    if (this.#socket.bufferedAmount <= bufferedMaxBytes) this.send('PONG')
  }

  #ack(data: string): void {
    const ack = terminalAckSchema.safeParse(parseJson(data))
    if (!ack.success) return
    this.#ackedBytes = Math.min(ack.data.bytes, this.#sentBytes)
    this.#release()
  }

  #beat(): void {
    if (performance.now() - this.#lastSign > silenceMaxMs) this.#socket.terminate()
    else if (this.isOpen) this.#socket.ping()
  }

  #release(): void {
    if (this.#isFull) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #closed(code: number): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#release()
    this.onClose?.(this.#isGoodbye || code === 1000)
  }
}

/** Of an envelope, with more than anybody adds to it: what holds more takes long to be read. */
const messageMaxValues = 64
/** Of what is no typed text: sizes, acknowledgements. */
const dataMaxLength = 4096

/** `unknown`: of a type this gateway has not heard of, as newer pages may send. */
function parseMessage(text: string): TerminalMessage | 'unknown' | undefined {
  if (countValues()(Buffer.from(text)) > messageMaxValues) return undefined
  const { data: message, error } = terminalMessageSchema.safeParse(parseJson(text))
  if (error?.issues.every(({ path: [field] }) => field === 'type')) return 'unknown'
  const isTooLong = message && message.type !== 'TERMINAL_DATA' && message.data.length > dataMaxLength
  return isTooLong ? undefined : message
}

/** The value of a JSON text, or undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
