import { afterCommit, type Database, type Executor, workForAll, transactionHere } from './database/index.ts'
import type { Live } from './live.ts'

/** What is read often and changes rarely, kept in this process and dropped in all of them when it changes. */
export interface Cache<V> {
  /**
   * The kept value, or what `load` answers; loads of one key at the same time are one. A failed load is not kept. Inside a transaction
   * nothing is waited for and nothing new is kept: `load` is given that transaction, which may show what is never committed.
   */
  get(key: string, load: (executor: Executor) => Promise<V>): Promise<V>
  /** Drops everything in every process, once the transaction of `executor` is committed. */
  changed(executor: Executor): Promise<void>
}

export interface CacheOptions {
  /** How old a value may get when the news of a change is lost with its connection. */
  ttlMs: number
  maxEntries: number
}

interface Entry<V> {
  value: Promise<V>
  until: number
  isLoaded: boolean
}

const dropsOf = new WeakMap<Live, Map<string, Set<() => void>>>()

/** What to drop in this process when `channel` changes: it does not wait until it hears itself. */
function localDrops(live: Live, channel: string): Set<() => void> {
  const channels = dropsOf.get(live) ?? new Map<string, Set<() => void>>()
  dropsOf.set(live, channels)
  const drops = channels.get(channel) ?? new Set()
  channels.set(channel, drops)
  return drops
}

/** Opens a cache whose changes are told on `channel`; all caches on a channel change together. */
export function createCache<V>(
  { database, live }: { database: Database; live: Live },
  channel: string,
  { ttlMs, maxEntries }: CacheOptions,
): Cache<V> {
  let entries = new Map<string, Entry<V>>()
  // A load that began before a change ends in the map that was dropped, so it cannot bring old values back.
  const drop = () => {
    entries = new Map()
  }
  const drops = localDrops(live, channel)
  drops.add(drop)
  live.subscribe(channel, drop)
  live.onGap(drop)
  return {
    get(key, load) {
      const now = Date.now()
      const known = entries.get(key)
      const tx = transactionHere()
      if (known && known.until > now && (tx === undefined || known.isLoaded)) return known.value
      if (tx !== undefined) return load(tx)
      if (entries.size >= maxEntries) drop()
      const current = entries
      const entry = { value: workForAll(() => load(database.db)), until: now + ttlMs, isLoaded: false }
      current.set(key, entry)
      void (async () => {
        try {
          await entry.value
          entry.isLoaded = true
        } catch {
          if (current.get(key) === entry) current.delete(key)
        }
      })()
      return entry.value
    },
    async changed(executor) {
      await live.publish(channel, null, executor)
      await afterCommit(executor, () => {
        for (const one of drops) one()
      })
    },
  }
}
