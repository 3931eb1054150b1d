import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { checkStatus } from './sent.ts'

const messageSchema = z.object({ type: z.string(), payload: z.record(z.string(), z.unknown()) })

/** The standing links of gateways to the test server: orders go out, their status comes in. */
export class TestLinks {
  readonly statuses: Record<string, unknown>[] = []
  readonly #open = new Set<WebSocket>()
  readonly #sockets = new WebSocketServer({ noServer: true })

  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#sockets.handleUpgrade(request, socket, head, (link) => this.#onLink(link))
  }

  order(name: string, args: string, kwargs: Record<string, string> = {}): string {
    const id = randomUUID()
    const task = { id, name, args, kwargs }
    for (const link of this.#open) link.send(Buffer.from(JSON.stringify([task])))
    return id
  }

  #onLink(link: WebSocket): void {
    this.#open.add(link)
    link.on('close', () => this.#open.delete(link))
    link.on('message', (data: Buffer) => {
      const message = messageSchema.parse(JSON.parse(data.toString()))
      checkStatus(message.payload)
      this.statuses.push(message.payload)
    })
    link.send(Buffer.from('[]'))
  }
}
