/** What comes on websockets: one person takes nobody else's turn with it, on however many. */
import type { RawData, WebSocket } from 'ws'

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
  bytes: { perSecond: 512 << 10, atOnce: 1 << 20 },
}

const rememberedMs = 10_000

/** The websockets of all people here. */
export class Messages {
  readonly #bounds: MessageBounds
  readonly #people = new Map<string, { sockets: number; messages: Allowance; bytes: Allowance }>()

  constructor(bounds: MessageBounds) {
    this.#bounds = bounds
  }

  /** Counts what comes on a socket of somebody; false where it is one too many and is closed. */
  admit(who: string, socket: WebSocket): boolean {
    const { sockets, messages, bytes } = this.#bounds
    const person = this.#people.get(who) ?? {
      sockets: 0,
      messages: new Allowance(messages),
      bytes: new Allowance(bytes),
    }
    this.#people.set(who, person)
    person.sockets++
    socket.once('close', () => {
      person.sockets--
      // Whoever comes back at once has no more than before.
      const forget = () => {
        if (person.sockets === 0 && this.#people.get(who) === person) this.#people.delete(who)
      }
      setTimeout(forget, rememberedMs).unref()
    })
    const resume = () => {
      const waitMs = person.bytes.take(0)
      if (waitMs > 0) setTimeout(resume, waitMs)
      else socket.resume()
    }
    const take = (data: RawData) => {
      if (person.messages.take(1) > 0) {
        // Also one that is to close, and goes on.
        socket.close(1008)
        socket.terminate()
      } else if (person.bytes.take(lengthOf(data)) > 0 && !socket.isPaused) {
        socket.pause()
        resume()
      }
    }
    for (const kind of ['message', 'ping', 'pong'] as const) socket.on(kind, take)
    if (person.sockets <= sockets) return true
    socket.close(1013)
    return false
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

const lengthOf = (data: RawData) =>
  Array.isArray(data) ? data.reduce((all, part) => all + part.byteLength, 0) : data.byteLength
