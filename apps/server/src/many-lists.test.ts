import { defaultOrgId, roleIds } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { person, personPassword } from './domains/terminal/testing.ts'
import { shares } from './kernel/database/index.ts'
import { boundsOf } from './kernel/database/shares.ts'
import { waitingForLocks, whileLocked as whileTableLocked } from './kernel/testing/locks.ts'
import { startTestSystem, type TestClient } from './testing.ts'
import { addPerson } from './testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()
const reader = await person(system, admin, 'reader', roleIds.orgAdmin)
const url = `/api/v1/users/groups/?limit=5`
const { db } = system.database

/** While `work` runs, whoever reads these, groups unless said, waits. */
const whileLocked = <T>(work: () => Promise<T>, table = 'user_groups') =>
  whileTableLocked(system.database, table, work)
const waitingFor = (table: string) => () => waitingForLocks(system.database, table)
const waiting = waitingFor('user_groups')

const listening = system.http.listen({ host: '127.0.0.1', port: 0 })
const sentBy = ({ cookies }: TestClient) => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  'x-jms-org': defaultOrgId,
})

test('what one person reads in parallel leaves others their connections', async () => {
  const lists = await whileLocked(async () => {
    const asked = Array.from({ length: 25 }, () => reader.client.get(url, { org: defaultOrgId }))
    await expect.poll(waiting, { timeout: 8000 }).toBeGreaterThan(5)
    const made = await admin.post('assets/domains/', { name: 'meanwhile' }, { org: defaultOrgId })
    expect(made.status).toBe(201)
    expect(await waiting()).toBe(6)
    return asked
  })
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(lists.map(() => 200))
})

test('two people whose lists take long leave others at least half of the turns, and wait for eight seconds at most', async () => {
  const other = await person(system, admin, 'quick', roleIds.orgAdmin)
  const slow = await Promise.all(
    ['slow', 'slower'].map((name) => person(system, admin, name, roleIds.orgAdmin)),
  )
  const get = ({ client }: typeof other, path: string) => client.get(path, { org: defaultOrgId })
  const asked = await whileLocked(async () => {
    const lists = slow.flatMap((one) => Array.from({ length: 8 }, () => get(one, url)))
    await expect.poll(waiting, { timeout: 8000 }).toBeGreaterThan(5)
    for (let round = 0; round < 3; round++)
      expect((await get(other, 'assets/domains/?limit=5')).status).toBe(200)
    const first = await Promise.race(lists)
    // Somebody holds what they ask for.
    expect(first.status).toBe(409)
    // From now on each has one.
    await expect.poll(waiting, { timeout: 8000 }).toBe(2 * 2)
    return lists
  })
  await Promise.all(asked)
})

test('whatever one administrator writes at once, others sign in and read meanwhile', async () => {
  const other = await addPerson(system, admin)
  const writes = await whileLocked(async () => {
    const asked = Array.from({ length: 40 }, (_, at) =>
      reader.client.post('users/groups/', { name: `at once ${at}` }, { org: defaultOrgId }),
    )
    await expect.poll(waiting, { timeout: 8000 }).toBe(3)
    const client = await other.signedIn()
    expect((await client.get('terminal/my-sessions/?limit=1')).status).toBe(200)
    await expect.poll(waiting).toBe(3)
    return asked
  })
  expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([201]))
})

test('with all lists, all writes and many single rows at a standstill, people sign in, gateways are answered and health is well', async () => {
  const people = await Promise.all(
    Array.from({ length: 9 }, (_, at) => person(system, admin, `halted${at}`, roleIds.orgAdmin)),
  )
  const [writers, readers] = [people.slice(0, 3), people.slice(3)]
  const other = await addPerson(system, admin)
  const gateway = await system.component('gateway')
  const zone = await admin.post('assets/domains/', { name: 'halted' }, { org: defaultOrgId })
  const row = `assets/domains/${String(zone.body['id'])}/`
  const asked = await whileLocked(async () => {
    const each = <T>(of: typeof people, times: number, ask: (client: TestClient, at: string) => Promise<T>) =>
      of.flatMap(({ client, id }) => Array.from({ length: times }, (_, at) => ask(client, `${id} ${at}`)))
    const org = { org: defaultOrgId }
    const all = [
      ...each(readers, 3, (client) => client.get('assets/domains/?limit=5&search=a', org)),
      ...each(writers, 3, (client, name) => client.post('assets/domains/', { name }, org)),
      ...each(readers, 1, (client) => client.get('assets/domains/', org)),
      ...each(people, 3, (client) => client.get(row, org)),
    ]
    const ofPeople = Object.values(shares).reduce((sum, one) => sum + one.atOnce * one.connections, 0)
    await expect.poll(waitingFor('domains'), { timeout: 8000 }).toBe(ofPeople)
    const client = await other.signedIn()
    // Somebody at work signs in anew.
    expect((await readers[0]?.client.signIn('halted0', personPassword))?.status).toBe(200)
    expect((await gateway.get('terminal/terminals/config/')).status).toBe(200)
    expect((await client.get('/api/health/')).body).toMatchObject({ db_status: true })
    // Those whose time is over have made room for others.
    await expect.poll(waitingFor('domains')).toBe(ofPeople)
    return all
  }, 'domains')
  await Promise.all(asked)
})

test('the connections people and executions share leave some of the pool', () => {
  const shared = boundsOf.people.atOnce + boundsOf.executions.atOnce
  const ofPeople = Object.values(shares).reduce((sum, one) => sum + one.atOnce * one.connections, 0)
  expect(ofPeople).toBe(boundsOf.people.atOnce)
  expect(shared).toBeLessThanOrEqual(system.database.pool.options.max - 8)
})

test('a file nobody waits for any more leaves no connection behind, whether it was begun or not', async () => {
  const origin = await listening
  const csv = '/api/v1/users/groups/?format=csv'
  const { pool } = system.database
  const taken = () => pool.totalCount - pool.idleCount
  await db.execute(
    sql`insert into user_groups (name, org_id) select 'many ' || n, ${defaultOrgId} from generate_series(1, 20000) n`,
  )
  const begun = performance.now()
  const whole = await fetch(`${origin}${csv}`, { headers: sentBy(reader.client) })
  await whole.body?.cancel()
  const firstMs = performance.now() - begun
  // Most leave while the first rows are read: nothing of the file has been asked for then.
  for (let part = 1; part <= 24; part++) {
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(), (firstMs * part) / 20)
    const { signal } = leaving
    const asked = fetch(`${origin}${csv}`, { headers: sentBy(reader.client), signal }).then((answer) =>
      answer.body?.cancel(),
    )
    await Promise.allSettled([asked])
  }
  await expect.poll(taken, { timeout: 8000 }).toBe(0)
})

test('what nobody waits for any more is read no further', async () => {
  const origin = await listening
  const { client } = await person(system, admin, 'leaver', roleIds.orgAdmin)
  await whileLocked(async () => {
    const leaving = new AbortController()
    const asked = Array.from({ length: 5 }, () =>
      fetch(`${origin}${url}`, { headers: sentBy(client), signal: leaving.signal }),
    )
    await expect.poll(waiting, { timeout: 8000 }).toBe(6)
    leaving.abort()
    await Promise.allSettled(asked)
    await expect.poll(waiting, { timeout: 8000 }).toBe(0)
  })
  expect((await client.get(url, { org: defaultOrgId })).status).toBe(200)
})
