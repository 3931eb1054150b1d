import { defaultOrgId, roleIds } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { person } from './domains/terminal/testing.ts'
import { startTestSystem } from './testing.ts'
import { addPerson } from './testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()
const reader = await person(system, admin, 'reader', roleIds.orgAdmin)
const url = `/api/v1/users/groups/?limit=5`
const { db } = system.database

/** While `work` runs, whoever reads groups waits. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const locker = await system.database.pool.connect()
  try {
    await locker.query('begin; lock table user_groups in access exclusive mode')
    return await work()
  } finally {
    await locker.query('rollback')
    locker.release()
  }
}
const waiting = async () => {
  const found = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%"user_groups"%'`,
  )
  return found.rows[0]?.count
}

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

test('whatever one administrator writes at once, others sign in and read meanwhile', async () => {
  const other = await addPerson(system, admin)
  const writes = await whileLocked(async () => {
    const asked = Array.from({ length: 40 }, (_, at) =>
      reader.client.post('users/groups/', { name: `at once ${at}` }, { org: defaultOrgId }),
    )
    await expect.poll(waiting, { timeout: 8000 }).toBe(3)
    const client = await other.signedIn()
    expect((await client.get('terminal/my-sessions/?limit=1')).status).toBe(200)
    expect(await waiting()).toBe(3)
    return asked
  })
  expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([201]))
})

test('what nobody waits for any more is read no further', async () => {
  const origin = await system.http.listen({ host: '127.0.0.1', port: 0 })
  const cookie = [...reader.client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await whileLocked(async () => {
    const leaving = new AbortController()
    const asked = Array.from({ length: 5 }, () =>
      fetch(`${origin}${url}`, { headers: { cookie, 'x-jms-org': defaultOrgId }, signal: leaving.signal }),
    )
    await expect.poll(waiting, { timeout: 8000 }).toBe(6)
    leaving.abort()
    await Promise.allSettled(asked)
    await expect.poll(waiting, { timeout: 8000 }).toBe(0)
  })
  expect((await reader.client.get(url, { org: defaultOrgId })).status).toBe(200)
})
