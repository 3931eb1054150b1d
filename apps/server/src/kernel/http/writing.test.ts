/** What people write at the same time, on a server that listens. */
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inPieces } from '../pieces.ts'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { route } from './route.ts'
import type { WriteBounds } from './writing.ts'

const database = await createTestDatabase()
/** What people at work on something long wait for. */
let over = Promise.withResolvers<void>()
let atWork = 0
let readAhead = 0
const writing = (
  path: string,
  handler: Parameters<typeof route>[0]['handler'],
  inTurn?: Parameters<typeof route>[0]['inTurn'],
) =>
  route({
    ...(inTurn && { inTurn }),
    method: 'POST',
    path: `/api/v1/tests/${path}/`,
    access: 'valid_user',
    transaction: true,
    records: { unrecorded: 'nobody keeps books here' },
    byHand: 'it writes',
    handler,
  })
const routes = [
  writing('long', async ({ db }) => {
    await db.execute(sql`insert into notes values ('long')`)
    atWork += 1
    await over.promise
  }),
  writing('short', async ({ db }) => {
    await db.execute(sql`insert into notes values ('short')`)
  }),
  writing(
    'tree',
    async ({ db }) => {
      await db.execute(sql`insert into notes values ('tree')`)
    },
    () => 'the tree',
  ),
  {
    ...writing('endless-ahead', () => Promise.resolve({})),
    isAheadTimed: true as const,
    ahead: async () => {
      for await (const row of inPieces(Array.from({ length: 100_000 }).keys())) {
        await sleep(5)
        readAhead = row
      }
    },
  },
  writing('endless', async ({ db }) => {
    await db.execute(sql`insert into notes values ('endless')`)
    await db.execute(sql`select pg_sleep(600)`)
  }),
]

beforeAll(() => database.pool.query('create table notes (text text)'))
/** Everybody is somebody else than others. */
const authenticate = ({ headers }: { headers: Record<string, unknown> }) => {
  const username = String(headers['authorization'])
  return Promise.resolve({
    id: username,
    name: username,
    username,
    isComponent: false,
    isSuperAdmin: true,
    by: 'bearer' as const,
    sessionId: undefined,
  })
}
async function listening(writes: WriteBounds) {
  const app = await startTestServer(database, [{ name: 'tests', routes }], { authenticate }, { writes })
  await app.listen({ host: '127.0.0.1', port: 0 })
  afterAll(() => app.close())
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/tests/`
}
const day = 86_400_000
const patient = await listening({ longestMs: day, unheardMs: day })
const hasty = await listening({ longestMs: 300, unheardMs: day })
const inattentive = await listening({ longestMs: day, unheardMs: 0 })
const post = (who: string, path: string, on = patient, signal: AbortSignal | null = null) =>
  fetch(`${on}${path}/`, {
    method: 'POST',
    headers: { authorization: who, 'accept-language': 'en' },
    signal,
  })
const notes = async (text: string) =>
  (await database.pool.query('select from notes where text = $1', [text])).rowCount
const sleeping = async () =>
  (
    await database.pool.query(
      `select from pg_stat_activity where query like '%pg_sleep%' and state = 'active'
        and pid <> pg_backend_pid() and datname = current_database()`,
    )
  ).rowCount
async function isReading() {
  const before = readAhead
  await sleep(50)
  return readAhead !== before
}

test('whatever one person writes, others write meanwhile; the rest of the first follows', async () => {
  const all = Array.from({ length: 40 }, () => post('ann', 'long'))
  await expect.poll(() => atWork).toBeGreaterThan(0)
  expect((await post('bob', 'short')).status).toBe(204)
  expect(atWork).toBeLessThanOrEqual(3)
  over.resolve()
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([204]))
  expect(await notes('long')).toBe(40)
  over = Promise.withResolvers()
})

test('a change of the tree that waits behind what else its person writes holds up nobody else’s', async () => {
  const before = atWork
  const all = Array.from({ length: 6 }, () => post('ann', 'long'))
  await expect.poll(() => atWork).toBe(before + 3)
  const own = post('ann', 'tree')
  // Sent later, and answered: the one before has come.
  expect((await post('ann', 'nowhere')).status).toBe(404)
  expect((await post('bob', 'tree')).status).toBe(204)
  expect(await notes('tree')).toBe(1)
  over.resolve()
  for (const answer of await Promise.all([...all, own])) expect(answer.status).toBe(204)
  over = Promise.withResolvers()
})

test('what takes too long is undone, and told so', async () => {
  const answer = await post('ann', 'endless', hasty)
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({
    detail: 'The operation took too long and was stopped. Narrow it down and try again.',
  })
  await expect.poll(sleeping).toBe(0)
  expect(await notes('endless')).toBe(0)
})

test('what takes too long before its transaction is given up, too', async () => {
  const answer = await post('ann', 'endless-ahead', hasty)
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining({ code: 'timeout' })])
  await expect.poll(isReading).toBe(false)
})

test('what nobody waits for any more is given up before its transaction, too', async () => {
  const leaving = new AbortController()
  const left = post('ann', 'endless-ahead', inattentive, leaving.signal).catch(() => 'left')
  await expect.poll(isReading).toBe(true)
  leaving.abort()
  expect(await left).toBe('left')
  await expect.poll(isReading).toBe(false)
})

test('what is nearly done when its caller leaves is done', async () => {
  const leaving = new AbortController()
  const before = [atWork, await notes('long')] as const
  const left = post('ann', 'long', patient, leaving.signal).catch(() => 'left')
  await expect.poll(() => atWork).toBe(before[0] + 1)
  leaving.abort()
  expect(await left).toBe('left')
  over.resolve()
  await expect.poll(() => notes('long')).toBe((before[1] ?? 0) + 1)
})

test('what nobody waits for any more is undone', async () => {
  const leaving = new AbortController()
  const left = post('ann', 'endless', inattentive, leaving.signal).catch(() => 'left')
  await expect.poll(sleeping).toBe(1)
  leaving.abort()
  expect(await left).toBe('left')
  await expect.poll(sleeping).toBe(0)
  expect(await notes('endless')).toBe(0)
})
