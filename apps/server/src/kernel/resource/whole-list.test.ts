/** Lists asked for without `limit`, on the whole server. */
import { defaultOrgId } from '@sallyport/contract'
import { expect, test } from 'vitest'
import { startTestSystem } from '../../testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
// Read eleven times over while others wait 30 s at most, on a busy machine, too.
const rows = 6_000
const add = (from: number, to: number) =>
  system.database.pool.query(
    `insert into user_groups (id, name, org_id, comment) select gen_random_uuid(), 'group ' || lpad(n::text, 6, '0'), $1, repeat('x', 200)
      from generate_series($2::int, $3::int) n`,
    [defaultOrgId, from, to],
  )
const whole = (query = '') => admin.get(`users/groups/${query}`, { org: defaultOrgId })

test('somebody else is answered at once while one person asks for long lists twenty times over', async () => {
  await add(1, rows)
  const other = await system.admin()
  await other.get('users/profile/')
  const begun = performance.now()
  const lists = { areRead: false }
  const asked = Promise.all(Array.from({ length: 20 }, () => whole())).finally(() => (lists.areRead = true))
  let slowest = 0
  let answered = 0
  while (!lists.areRead) {
    const sent = performance.now()
    expect((await other.get('users/profile/')).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - sent)
    answered += 1
  }
  const took = performance.now() - begun
  const answers = await asked
  const statuses = answers.map(({ status }) => status)
  // One is read, ten wait; who comes before there is room again may come later.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(11)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(answers.find(({ status }) => status === 429)).toMatchObject({
    headers: { 'retry-after': '5' },
    body: { code: 'overloaded' },
  })
  const list = answers.find(({ status }) => status === 200)?.body ?? []
  // And the one group there is from the beginning.
  expect(list).toHaveLength(rows + 1)
  expect(answered).toBeGreaterThan(20)
  expect(slowest).toBeLessThan(took / 10)
}, 120_000)

test('a long list is what its pages are: order, filters, a part of it, what may be done', async () => {
  const page = await whole('?limit=3&offset=700&order=-name&may=1')
  const long = await whole('?order=-name&may=1')
  expect(long.headers['content-type']).toBe('application/json; charset=utf-8')
  expect((long.body as unknown[]).slice(700, 703)).toEqual(page.body['results'])
  expect(long.body[0]).toHaveProperty('may.update', true)
  expect((await whole('?search=00012')).body).toHaveLength(11)
})

test('one that is too long is refused before any of it is read', async () => {
  await add(rows + 1, 50_001)
  expect(await whole()).toMatchObject({ status: 400, body: { code: 'list_too_long' } })
})
