/** Sessions have so long to tell the person why they ended before the connection does. */
const goodbyeMs = 1000
/** A sign-in takes no longer, confirmation by another person included. */
const rememberedMs = 30 * 60_000
const rememberedMax = 10_000

interface Entered {
  /** Whether it may open nothing more. */
  isOver: () => boolean
  /** To be called when the connection has closed. */
  leave: () => void
}

interface Connection {
  isOver: boolean
  end: () => void
}

/** Whose connections are there, and whose sign-ins count no more. */
export class People {
  readonly #connections = new Map<string, Set<Connection>>()
  /** When the sign-ins of a person were ended last; the oldest first. */
  readonly #endedAt = new Map<string, number>()

  connectionsOf(personId: string): number {
    return this.#connections.get(personId)?.size ?? 0
  }

  /** A connection is signed in; undefined when the sign-in, begun at `beganAt` (`performance.now`), counts no more already. */
  enter(personId: string, beganAt: number, end: () => void): Entered | undefined {
    if ((this.#endedAt.get(personId) ?? -1) >= beganAt) return undefined
    const connection: Connection = { isOver: false, end }
    const own = this.#connections.get(personId) ?? new Set()
    this.#connections.set(personId, own.add(connection))
    return {
      isOver: () => connection.isOver,
      leave: () => {
        own.delete(connection)
        if (own.size === 0 && this.#connections.get(personId) === own) this.#connections.delete(personId)
      },
    }
  }

  disconnect(personId: string): void {
    this.#remember(personId)
    for (const connection of this.#connections.get(personId) ?? []) {
      connection.isOver = true
      setTimeout(connection.end, goodbyeMs)
    }
  }

  #remember(personId: string): void {
    const now = performance.now()
    this.#endedAt.delete(personId)
    this.#endedAt.set(personId, now)
    for (const [id, at] of this.#endedAt) {
      if (now - at < rememberedMs && this.#endedAt.size <= rememberedMax) break
      this.#endedAt.delete(id)
    }
  }
}
