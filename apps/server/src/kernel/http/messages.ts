/** What comes on websockets: one person takes nobody else's turn with it, on however many. */
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'

export interface MessageBounds {
  /** Open ones of one person. */
  sockets: number
  /** Nobody types or moves so fast: who sends more is sent away. Pings count, too. */
  messages: Rate
  /** Who sends more is read later. Of text that is JSON, a megabyte may take a tenth of a second. */
  bytes: Rate
}

interface Rate {
  perSecond: number
  atOnce: number
}

export const messageBounds: MessageBounds = {
  sockets: 200,
  messages: { perSecond: 500, atOnce: 4000 },
  bytes: { perSecond: 1 << 20, atOnce: 2 << 20 },
}

const rememberedMs = 10_000

/** The websockets of all people here. */
export class Messages {
  readonly #bounds: MessageBounds
  readonly #people = new Map<string, Person>()

  constructor(bounds: MessageBounds) {
    this.#bounds = bounds
  }

  /** Counts what comes on a websocket of somebody; false where it is one too many and is closed. */
  admit(who: string, socket: WebSocket, connection: Socket): boolean {
    const person = this.#people.get(who) ?? new Person(this.#bounds)
    this.#people.set(who, person)
    // Whoever comes back at once has no more than before.
    const forget = () => {
      if (person.count === 0 && this.#people.get(who) === person) this.#people.delete(who)
    }
    socket.once('close', () => setTimeout(forget, rememberedMs).unref())
    person.take(socket, connection)
    if (person.count <= this.#bounds.sockets) return true
    socket.close(1013)
    return false
  }
}

class Person {
  readonly #sockets = new Set<WebSocket>()
  readonly #messages: Allowance
  readonly #bytes: Allowance
  /** None of theirs is read until there is some again. */
  #isResting = false

  constructor({ messages, bytes }: MessageBounds) {
    this.#messages = new Allowance(messages)
    this.#bytes = new Allowance(bytes)
  }

  get count(): number {
    return this.#sockets.size
  }

  take(socket: WebSocket, connection: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    if (this.#isResting) socket.pause()
    // As they come, before they are a message: many may be whole at the same moment.
    connection.on('data', (chunk: Buffer) => this.#read(socket, chunk.length))
    for (const kind of ['message', 'ping', 'pong'] as const) socket.on(kind, () => this.#count(socket))
  }

  #count(socket: WebSocket): void {
    if (this.#messages.take(1) === 0) return
    // Also one that is to close, and goes on.
    socket.close(1008)
    socket.terminate()
  }

  #read(socket: WebSocket, bytes: number): void {
    const waitMs = this.#bytes.take(bytes)
    if (this.#isResting) socket.pause()
    else if (waitMs > 0) this.#rest(waitMs)
  }

  #rest(waitMs: number): void {
    this.#isResting = true
    for (const socket of this.#sockets) socket.pause()
    setTimeout(() => this.#goOn(), waitMs)
  }

  #goOn(): void {
    const waitMs = this.#bytes.take(0)
    if (waitMs > 0) return void setTimeout(() => this.#goOn(), waitMs)
    this.#isResting = false
    for (const socket of this.#sockets) socket.resume()
  }
}

/** So much at once, and what of it was taken comes back by and by. */
class Allowance {
  readonly #rate: Rate
  #left: number
  #since = performance.now()

  constructor(rate: Rate) {
    this.#rate = rate
    this.#left = rate.atOnce
  }

  /** Takes it, there or not; returns in how many ms there will be some again. */
  take(amount: number): number {
    const { perSecond, atOnce } = this.#rate
    const now = performance.now()
    this.#left = Math.min(atOnce, this.#left + ((now - this.#since) / 1000) * perSecond) - amount
    this.#since = now
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left / perSecond) * 1000)
  }
}
