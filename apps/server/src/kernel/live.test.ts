import { afterAll, expect, test, vi } from 'vitest'
import { withTransaction } from './database/index.ts'
import { openLive } from './live.ts'
import { createTestDatabase, testLog } from './testing/index.ts'

const database = await createTestDatabase()
const here = await openLive(database, testLog)
const there = await openLive(database, testLog)
afterAll(async () => {
  await Promise.all([here.close(), there.close()])
})

function collect(channel: string): unknown[] {
  const heard: unknown[] = []
  there.subscribe(channel, (payload) => heard.push(payload))
  return heard
}

test('an event is heard in the other process, on its channel only', async () => {
  const heard = collect('a')
  const other = collect('b')
  await here.publish('a', { id: 'é' })
  await vi.waitFor(() => expect(heard).toEqual([{ id: 'é' }]))
  expect(other).toEqual([])
})

test('an event of a transaction is heard after its commit, and never after a rollback', async () => {
  const heard = collect('tx')
  await withTransaction(database.db, async (tx) => {
    await here.publish('tx', 'kept', tx)
    expect(heard).toEqual([])
  })
  await withTransaction(database.db, async (tx) => {
    await here.publish('tx', 'lost', tx)
    throw new Error('rolled back')
  }).catch(() => {})
  await here.publish('tx', 'last')
  await vi.waitFor(() => expect(heard).toEqual(['kept', 'last']))
})

test('a listener that fails does not keep the others from hearing, and an ended subscription is silent', async () => {
  const end = there.subscribe('c', () => {
    throw new Error('broken listener')
  })
  const heard = collect('c')
  await here.publish('c', 1)
  await vi.waitFor(() => expect(heard).toEqual([1]))
  end()
  await here.publish('c', 2)
  await vi.waitFor(() => expect(heard).toEqual([1, 2]))
})

test('an event too long for the database is refused with a sentence', async () => {
  await expect(here.publish('long', 'x'.repeat(8000))).rejects.toThrow('send an id instead')
})

test('after a lost connection events are heard again and caches are told to drop what they hold', async () => {
  const gap = vi.fn<() => void>()
  there.onGap(gap)
  const heard = collect('d')
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'sallyport live' and datname = current_database()`,
  )
  await vi.waitFor(() => expect(gap).toHaveBeenCalledTimes(1), { timeout: 5000 })
  await here.publish('d', 'back')
  await vi.waitFor(() => expect(heard).toEqual(['back']))
})
