/** How many messages of the site have not been read, as the server says it live. */
import { siteMessagesSocketPath } from '@sallyport/contract/addresses'
import type { UnreadCount } from '@sallyport/contract/resources/notifications'
import { useEffect, useState, useSyncExternalStore } from 'react'

const firstDelayMs = 1000
const longestDelayMs = 60_000

export interface UnreadEvents {
  /** The socket is lost: told once, until it works again. */
  failed: () => void
  /** A message has come. */
  more: () => void
}

/** The console's end of the socket: opened again, later and later, when it is lost. */
export class UnreadSocket {
  #count = 0
  #socket: WebSocket | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #delayMs = firstDelayMs
  #hasFailed = false
  /** The server has said how many there are. */
  #isKnown = false
  readonly #listeners = new Set<() => void>()
  readonly #on: UnreadEvents

  constructor(on: UnreadEvents) {
    this.#on = on
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  readonly count = (): number => this.#count

  /** What is known without the socket: after reading, it says nothing. */
  set(count: number): void {
    if (count === this.#count) return
    this.#count = count
    for (const listener of this.#listeners) listener()
  }

  open(): void {
    const { protocol, host } = globalThis.location
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${siteMessagesSocketPath}`)
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      this.#delayMs = firstDelayMs
      this.#hasFailed = false
      const message = parsed(data)
      if (message === undefined) return
      const isMore = this.#isKnown && message.unread_count > this.#count
      this.#isKnown = true
      this.set(message.unread_count)
      if (isMore) this.#on.more()
    })
    socket.addEventListener('close', () => {
      if (this.#socket !== socket) return
      if (!this.#hasFailed) this.#on.failed()
      this.#hasFailed = true
      this.#timer = setTimeout(() => this.open(), this.#delayMs)
      this.#delayMs = Math.min(longestDelayMs, this.#delayMs * 2)
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }
}

function parsed(data: unknown): UnreadCount | undefined {
  try {
    const message = JSON.parse(String(data)) as Partial<UnreadCount>
    return message.type === 'unread_count' && Number.isInteger(message.unread_count)
      ? (message as UnreadCount)
      : undefined
  } catch {
    return undefined
  }
}

export function useUnread(on: UnreadEvents) {
  const [socket] = useState(() => new UnreadSocket(on))
  useEffect(() => {
    // A page that is left closes its sockets itself: that is no failure.
    const leave = () => socket.close()
    socket.open()
    globalThis.addEventListener('pagehide', leave)
    return () => {
      globalThis.removeEventListener('pagehide', leave)
      socket.close()
    }
  }, [socket])
  const count = useSyncExternalStore(socket.subscribe, socket.count)
  return { count, set: (fresh: number) => socket.set(fresh) }
}
