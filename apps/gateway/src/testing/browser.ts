import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { statementHeader } from '@sallyport/contract/gateway/statement'
import {
  terminalEndSchema,
  terminalMessageSchema,
  terminalSocketPath,
  terminalSubprotocol,
  type TerminalEnd,
  type TerminalMessage,
} from '@sallyport/contract/terminal-socket'

/** A browser terminal as the workspace page drives it. */
export class TestBrowser {
  readonly messages: TerminalMessage[] = []
  output = Buffer.alloc(0)
  readonly socket: WebSocket
  readonly closed: Promise<unknown>
  #connection: Socket | undefined

  /** `statement` is what a server says to the gateway of the visitor. */
  constructor(address: string, statement: string) {
    const url = `${address.replace('http', 'ws')}${terminalSocketPath}`
    this.socket = new WebSocket(url, terminalSubprotocol, { headers: { [statementHeader]: statement } })
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.output = Buffer.concat([this.output, data])
      else this.messages.push(terminalMessageSchema.parse(JSON.parse(data.toString())))
    })
    this.socket.once('upgrade', ({ socket }) => (this.#connection = socket))
    this.closed = once(this.socket, 'close')
  }

  get text(): string {
    return this.output.toString('utf8')
  }

  async message(type: TerminalMessage['type']): Promise<TerminalMessage> {
    for (let waitedMs = 0; waitedMs < 10_000; waitedMs += 10) {
      const found = this.messages.find((message) => message.type === type)
      if (found) return found
      await sleep(10)
    }
    throw new Error(`no ${type}, but ${this.messages.map((message) => message.type).join(' ')}`)
  }

  /** Waits for CONNECT and answers with the window's size. */
  async init(cols = 80, rows = 24): Promise<void> {
    const { id } = await this.message('CONNECT')
    this.send('TERMINAL_INIT', { cols, rows }, id)
  }

  send(type: TerminalMessage['type'], data: unknown, id = ''): void {
    const text = typeof data === 'string' ? data : JSON.stringify(data)
    this.socket.send(JSON.stringify({ id, type, data: text }))
  }

  type(text: string): void {
    this.send('TERMINAL_DATA', text)
  }

  /** All that `send` sends arrives together, as behind a packet that was lost. */
  together(send: () => void): void {
    this.#connection?.cork()
    send()
    this.#connection?.uncork()
  }

  async end(): Promise<TerminalEnd> {
    return terminalEndSchema.parse(JSON.parse((await this.message('TERMINAL_END')).data))
  }

  /** As when the network goes. */
  lose(): void {
    this.socket.terminate()
  }
}
