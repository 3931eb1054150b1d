import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createCache } from './cache.ts'
import { type Executor, withTransaction } from './database/index.ts'
import { openLive } from './live.ts'
import { serverKeys } from './secrets/tables.ts'
import { createTestDatabase, testLog } from './testing/index.ts'

const database = await createTestDatabase()
/** Two server processes on one database. */
const lives = [await openLive(database, testLog), await openLive(database, testLog)] as const
const [here, there] = [
  { database, live: lives[0] },
  { database, live: lives[1] },
]
afterAll(async () => {
  for (const live of lives) await live.close()
})
const limits = { ttlMs: 60_000, maxEntries: 3 }
const load = (value: string) => () => Promise.resolve(value)

describe('a cache', () => {
  test('keeps what was read until somebody changes it, on any node', async () => {
    const [one, other] = [createCache<string>(here, 'a', limits), createCache<string>(there, 'a', limits)]
    await one.get('k', load('old'))
    await other.get('k', load('old'))
    expect(await one.get('k', load('new'))).toBe('old')
    await one.changed(database.db)
    expect(await one.get('k', load('new'))).toBe('new')
    await vi.waitFor(async () => expect(await other.get('k', load('new'))).toBe('new'))
  })

  test('drops all of a channel in this process before anybody is answered', async () => {
    const [people, keys] = [createCache<string>(here, 'b', limits), createCache<string>(here, 'b', limits)]
    await keys.get('k', load('old'))
    await people.changed(database.db)
    expect(await keys.get('k', load('new'))).toBe('new')
  })

  test('follows the transaction: nothing is dropped before the commit, nor by a rollback', async () => {
    const cache = createCache<string>(here, 'c', limits)
    await cache.get('k', load('old'))
    const undone = withTransaction(database.db, async (tx) => {
      await cache.changed(tx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await withTransaction(database.db, async (tx) => {
      await cache.changed(tx)
      expect(await cache.get('k', load('too early'))).toBe('old')
    })
    expect(await cache.get('k', load('new'))).toBe('new')
  })

  test('a slow read that began before the change does not bring the old value back', async () => {
    const cache = createCache<string>(here, 'd', limits)
    const slow = Promise.withResolvers<string>()
    const reading = cache.get('k', () => slow.promise)
    await cache.changed(database.db)
    slow.resolve('old')
    expect(await reading).toBe('old')
    expect(await cache.get('k', load('new'))).toBe('new')
  })

  test('is read inside a transaction by that transaction alone, which keeps nothing others would see', async () => {
    const cache = createCache<number>(here, 'f', limits)
    const count = (executor: Executor) => executor.$count(serverKeys)
    const before = await count(database.db)
    const slow = Promise.withResolvers<number>()
    const elsewhere = cache.get('k', () => slow.promise)
    await withTransaction(database.db, async (tx) => {
      await tx.insert(serverKeys).values({ name: 'uncommitted', public_key: 'p', private_key: 'q' })
      // It waits for no other connection, not even for the one that reads the same.
      expect(await cache.get('k', count)).toBe(before + 1)
      await tx.execute(sql`delete from server_keys where name = 'uncommitted'`)
    })
    slow.resolve(before)
    expect(await elsewhere).toBe(before)
    expect(await cache.get('k', () => Promise.resolve(-1))).toBe(before)
  })

  test('forgets failures, and never grows past its bound', async () => {
    const cache = createCache<string>(here, 'e', limits)
    await expect(cache.get('k', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
    expect(await cache.get('k', load('back'))).toBe('back')
    for (const key of ['1', '2', '3']) await cache.get(key, load(key))
    expect(await cache.get('k', load('read again'))).toBe('read again')
  })
})
