import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { z } from 'zod'
import type { Database, Executor } from './database/index.ts'
import type { Logger } from './log.ts'

export type LiveListener = (payload: unknown) => void

/** Events between all server processes on one database. They are news, not a log: nobody hears what was said before. */
export interface Live {
  /**
   * Tells every process, this one included. Inside a transaction (`executor`) it is heard after the commit, never after
   * a rollback; equal events of one transaction are heard once. The payload is JSON and at most 7,900 bytes with the
   * channel's name: an event names what changed, readers fetch the rest.
   */
  publish(channel: string, payload: unknown, executor?: Executor): Promise<void>
  /** Returns the function that ends the subscription. */
  subscribe(channel: string, listener: LiveListener): () => void
  /** Called when events may have been missed (the connection was lost and is back): drop what was cached. */
  onGap(listener: () => void): () => void
  /** Whether events are heard at this moment. */
  isHearing(): boolean
  close(): Promise<void>
}

const postgresChannel = 'sallyport'
const maxPayloadBytes = 7900
const heartbeatMs = 10_000
const maxBackoffMs = 5000
const message = z.tuple([z.string(), z.unknown()])

/** Opens the one connection on which this process hears events; resolves when it hears. */
export async function openLive(database: Database, log: Logger): Promise<Live> {
  const listeners = new Map<string, Set<LiveListener>>()
  const gapListeners = new Set<() => void>()
  const closing = new AbortController()
  let isHearing = true
  let client = await listen()
  const loop = keepListening()

  async function listen(): Promise<Client> {
    const fresh = new Client({
      connectionString: database.url,
      application_name: 'sallyport live',
      connectionTimeoutMillis: 5000,
      query_timeout: 5000,
      keepAlive: true,
    })
    // The loop notices a lost connection by its end; this only keeps the error from ending the process.
    fresh.on('error', (error) => log.warn({ err: error }, 'the connection for live events was lost'))
    fresh.on('notification', (notification) => deliver(notification.payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${postgresChannel}`)
      return fresh
    } catch (error) {
      await fresh.end().catch(() => {})
      throw error
    }
  }

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      await untilLost(client)
      isHearing = false
      await client.end().catch(() => {})
      if (closing.signal.aborted) return
      const next = await listenAgain()
      if (next === undefined) return
      client = next
      isHearing = true
      for (const listener of gapListeners) guard('gap', listener)
    }
  }

  /** Resolves when the connection ended, does not answer its heartbeat, or the process closes. */
  async function untilLost(current: Client): Promise<void> {
    const over = new AbortController()
    const end = () => over.abort()
    current.once('end', end)
    closing.signal.addEventListener('abort', end, { signal: over.signal })
    while (!over.signal.aborted && !closing.signal.aborted) {
      await sleep(heartbeatMs, undefined, { signal: over.signal, ref: false }).catch(() => {})
      if (!over.signal.aborted) await current.query('select 1').catch(end)
    }
  }

  async function listenAgain(): Promise<Client | undefined> {
    for (let backoffMs = 100; !closing.signal.aborted; backoffMs = Math.min(backoffMs * 2, maxBackoffMs)) {
      try {
        const fresh = await listen()
        log.info('live events are heard again')
        return fresh
      } catch (error) {
        log.warn({ err: error, backoffMs }, 'live events cannot be heard')
        await sleep(backoffMs, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
    return undefined
  }

  function deliver(text: string): void {
    let parsed
    try {
      parsed = message.parse(JSON.parse(text))
    } catch (error) {
      log.error({ err: error }, 'an unreadable live event was dropped')
      return
    }
    const [channel, payload] = parsed
    for (const listener of listeners.get(channel) ?? []) guard(channel, () => listener(payload))
  }

  function guard(channel: string, call: () => void): void {
    try {
      call()
    } catch (error) {
      log.error({ err: error, channel }, 'a listener for live events failed')
    }
  }

  return {
    async publish(channel, payload, executor = database.db) {
      const text = JSON.stringify([channel, payload])
      if (Buffer.byteLength(text) > maxPayloadBytes) {
        throw new RangeError(
          `An event on ${channel} is longer than ${maxPayloadBytes} bytes; send an id instead`,
        )
      }
      await executor.execute(sql`select pg_notify(${postgresChannel}, ${text})`)
    },
    subscribe(channel, listener) {
      const own: LiveListener = (payload) => listener(payload)
      const others = listeners.get(channel) ?? new Set()
      listeners.set(channel, others.add(own))
      return () => {
        others.delete(own)
        if (others.size === 0 && listeners.get(channel) === others) listeners.delete(channel)
      }
    },
    onGap(listener) {
      const own = () => listener()
      gapListeners.add(own)
      return () => void gapListeners.delete(own)
    },
    isHearing: () => isHearing,
    async close() {
      closing.abort()
      await loop
    },
  }
}
