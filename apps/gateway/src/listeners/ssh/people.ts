import { WindowBudget } from '@sallyport/ssh'

/** What one person's sessions may make us keep at once: enough for thirty that are sent more than they read. */
const unreadMaxBytes = 64 * 1024 * 1024
/** Sessions have so long to tell the person why they ended before the connection does. */
const goodbyeMs = 1000
/** A sign-in takes no longer, confirmation by another person included. */
const rememberedMs = 30 * 60_000
const rememberedMax = 10_000

interface Entered {
  /** Whether it may open nothing more. */
  isOver: () => boolean
  /** Of all this person's sessions. */
  windows: WindowBudget
  /** To be called when the connection has closed. */
  leave: () => void
}

/** When a connection was signed in. */
interface SignedIn {
  /** When the connection began, by `performance.now`. */
  beganAt: number
  /** When the server accepted it, by its clock; undefined where it did not tell: then what was ordered since it began counts. */
  signedInMs: number | undefined
}

interface Connection {
  signedInMs: number | undefined
  isOver: boolean
  end: () => void
}

interface Ended {
  /** Sign-ins from before count no more, by the server's clock. */
  beforeMs: number
  /** When that was heard, by `performance.now`. */
  heardAt: number
}

/** Whose connections are there, and whose sign-ins count no more. */
export class People {
  readonly #people = new Map<string, { connections: Set<Connection>; windows: WindowBudget }>()
  /** Whose sign-ins were ended, and up to when; what was heard first comes first. */
  readonly #ended = new Map<string, Ended>()

  connectionsOf(personId: string): number {
    return this.#people.get(personId)?.connections.size ?? 0
  }

  /** A connection is signed in; undefined when the sign-in counts no more already. */
  enter(personId: string, { beganAt, signedInMs }: SignedIn, end: () => void): Entered | undefined {
    const ended = this.#ended.get(personId)
    if (ended && (signedInMs === undefined ? beganAt <= ended.heardAt : signedInMs < ended.beforeMs))
      return undefined
    const connection: Connection = { signedInMs, isOver: false, end }
    const own = this.#people.get(personId) ?? {
      connections: new Set(),
      windows: new WindowBudget(unreadMaxBytes),
    }
    own.connections.add(connection)
    this.#people.set(personId, own)
    return {
      isOver: () => connection.isOver,
      windows: own.windows,
      leave: () => {
        own.connections.delete(connection)
        if (own.connections.size === 0 && this.#people.get(personId) === own) this.#people.delete(personId)
      },
    }
  }

  disconnect(personId: string, beforeMs: number): void {
    this.#remember(personId, beforeMs)
    for (const connection of this.#people.get(personId)?.connections ?? []) {
      if (connection.signedInMs !== undefined && connection.signedInMs >= beforeMs) continue
      connection.isOver = true
      setTimeout(connection.end, goodbyeMs)
    }
  }

  #remember(personId: string, beforeMs: number): void {
    const heardAt = performance.now()
    const known = this.#ended.get(personId)?.beforeMs ?? beforeMs
    this.#ended.delete(personId)
    this.#ended.set(personId, { beforeMs: Math.max(known, beforeMs), heardAt })
    for (const [id, ended] of this.#ended) {
      if (heardAt - ended.heardAt < rememberedMs && this.#ended.size <= rememberedMax) break
      this.#ended.delete(id)
    }
  }
}
