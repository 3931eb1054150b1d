/** Who signs in from where they never were is told so, and nobody else. */
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'
import { signInsKnown } from './unusual-place.ts'

const system = await startTestSystem()
const admin = await system.admin()

const warnings = async (client: TestClient) => {
  const { body } = await client.get('notifications/site-messages/?limit=50')
  return (body.results ?? []).filter((one) => JSON.stringify(one).includes('10.7.0.9')).length
}

test('a sign-in is told of when it comes from another network than all before, and only then', async () => {
  const person = await addPerson(system, admin)
  const from = async (address: string) => {
    const client = system.client({ address })
    expect((await client.signIn(person.username, person.password)).status).toBe(200)
    return client
  }
  await from('10.7.0.9')
  await from('10.7.0.9')
  const home = await from('10.7.0.8')
  expect(await warnings(home)).toBe(0)
  await from('10.9.1.1')
  await from('10.7.0.9')
  expect(await warnings(home)).toBe(0)
  const { body } = await home.get('notifications/site-messages/?limit=50')
  expect(JSON.stringify(body.results).match(/10\.9\.1\.1/g)?.length).toBeGreaterThan(0)
})

test('a history of a hundred thousand sign-ins costs a sign-in no more than a short one', async () => {
  const { pool, db } = system.database
  await pool.query(
    `insert into login_logs (id, username, type, ip, status)
     select gen_random_uuid(), 'veteran', 'W', '10.' || i % 50 || '.' || i % 200 || '.' || i % 250, i % 5 <> 0
     from generate_series(1, 100000) as i`,
  )
  await pool.query('analyze login_logs')
  for (const [ip, here] of [
    ['10.1.1.7', 2],
    ['192.0.2.1', 0],
    ['::ffff:10.1.1.7', 2],
  ] as const) {
    const query = signInsKnown('veteran', ip)
    expect((await db.execute(query)).rows, ip).toEqual([{ ever: 2, here }])
    const { rows } = await db.execute(sql`explain (analyze, buffers, format json) ${query}`)
    const plan = (rows as { 'QUERY PLAN': { Plan: Record<string, number> }[] }[])[0]?.['QUERY PLAN'][0]?.Plan
    expect(Number(plan?.['Shared Hit Blocks']) + Number(plan?.['Shared Read Blocks']), ip).toBeLessThan(100)
  }
})
