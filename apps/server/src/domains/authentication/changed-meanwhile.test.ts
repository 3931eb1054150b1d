/** Whoever signs in while the account changes gets in by what holds now, not by what held when they knocked. */
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestAnswer, type TestClient, type TestComponent } from '../../testing.ts'
import { addPerson, type TestPerson } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient
let gateway: TestComponent

beforeAll(async () => {
  admin = await system.admin()
  gateway = await system.component('gateway-1')
})

const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b laptop'
const inAPage = async ({ username, password }: TestPerson, more = {}) => {
  const client = system.client()
  await client.get('/core/auth/login/')
  return await client.post('/core/auth/login/', { username, password, ...more })
}
const byProgram = ({ username, password }: TestPerson) =>
  system.client().post('authentication/tokens/', { username, password })
const throughGateway = ({ username, password }: TestPerson) =>
  gateway.post('authentication/tokens/', { username, password, remote_addr: '10.9.0.1' })
const withKey = ({ username }: TestPerson) =>
  gateway.post('authentication/tokens/', { username, public_key: publicKey, remote_addr: '10.9.0.1' })
const holdsGood = async (answer: TestAnswer) => {
  const authorization = `Bearer ${String(answer.body['token'])}`
  return (await system.client({ headers: { authorization } }).get('users/profile/')).status === 200
}

/** What `attempt` answers when the account changes after everything was looked at, and before the sign-in is stored. */
async function whileChanging(
  person: TestPerson,
  change: string,
  attempt: (person: TestPerson) => Promise<TestAnswer>,
): Promise<TestAnswer> {
  const { pool } = system.database
  const other = await pool.connect()
  try {
    await other.query('begin')
    await other.query(`update users set ${change} where id = $1`, [person.id])
    const seen = { isAnswered: false }
    const answer = attempt(person).finally(() => (seen.isAnswered = true))
    // Not the same connection: what a transaction sees of others stands still.
    const waiting = async () =>
      (
        await pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
      ).rows.length
    await expect.poll(async () => seen.isAnswered || (await waiting()) > 0).toBe(true)
    await other.query('commit')
    return await answer
  } finally {
    other.release()
  }
}
const another = `password_hash = (select password_hash from users where username = 'admin')`
const someone = async () => {
  const person = await addPerson(system, admin)
  await system.database.pool.query('update users set public_key = $1 where id = $2', [publicKey, person.id])
  return person
}

describe('when the password changes in the moment of signing in, the old one opens nothing', () => {
  test.each([
    ['in a page', inAPage],
    ['for a program', byProgram],
    ['through a gateway', throughGateway],
  ])('%s', async (_way, attempt) => {
    const person = await someone()
    expect(await whileChanging(person, another, attempt)).toMatchObject({
      status: 400,
      body: { error: 'password_failed' },
    })
    const { rows } = await system.database.pool.query(
      `select status, reason from login_logs where username = $1`,
      [person.username],
    )
    expect(rows).toEqual([{ status: false, reason: 'password_failed' }])
  })

  test('nor does it put one into force that the person chose to replace it', async () => {
    const person = await someone()
    await system.database.pool.query('update users set need_update_password = true where id = $1', [
      person.id,
    ])
    const answer = await whileChanging(person, `${another}, need_update_password = false`, (who) =>
      inAPage(who, { new_password: 'Entirely-new-1' }),
    )
    expect(answer).toMatchObject({ status: 400, body: { error: 'password_failed' } })
    expect((await inAPage({ ...person, password: 'Entirely-new-1' })).status).toBe(400)
  })
})

test('a key that is taken away in the moment of signing in opens nothing', async () => {
  const answer = await whileChanging(await someone(), 'public_key = null', withKey)
  expect(answer).toMatchObject({ status: 400, body: { error: 'public_key_unknown' } })
})

test.each([
  ['in a page', inAPage],
  ['for a program', byProgram],
  ['through a gateway', throughGateway],
  ['with a key', withKey],
])('who is disabled in the moment of signing in is told so: %s', async (_way, attempt) => {
  const answer = await whileChanging(await someone(), 'is_active = false', attempt)
  expect(answer).toMatchObject({ status: 400, body: { error: 'user_inactive' } })
})

describe('sign-ins that wait in line', () => {
  /** Sixty at once; `change` comes when the first of them is in. */
  async function manyAndThen(person: TestPerson, change: () => Promise<TestAnswer>): Promise<TestAnswer[]> {
    const answers = Array.from({ length: 60 }, () => byProgram(person))
    await Promise.race(answers)
    expect((await change()).status).toBe(200)
    return (await Promise.all(answers)).filter(({ status }) => status === 201)
  }
  const goodOf = async (answers: readonly TestAnswer[]) => {
    const good = await Promise.all(answers.map((answer) => holdsGood(answer)))
    return good.filter(Boolean)
  }

  test('with the old password end with it', async () => {
    const person = await addPerson(system, admin)
    const answers = await manyAndThen(person, () =>
      admin.patch(`users/users/${person.id}/password/`, { password: 'Set-by-admin-1' }),
    )
    expect(await goodOf(answers)).toEqual([])
  })

  test('of somebody who is disabled meanwhile are good for nothing when the person comes back', async () => {
    const person = await addPerson(system, admin)
    const set = (is_active: boolean) => admin.patch(`users/users/${person.id}/`, { is_active })
    const answers = await manyAndThen(person, () => set(false))
    expect((await set(true)).status).toBe(200)
    expect(await goodOf(answers)).toEqual([])
  })
})

test('the old password is good for one new one, however many are sent at once', async () => {
  const person = await addPerson(system, admin)
  const client = await person.signedIn()
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map((at) => {
      const next = `Entirely-new-${at}`
      const change = { old_password: person.password, new_password: next, new_password_again: next }
      return client.put('users/profile/password/', change)
    }),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('who has changed the password does not confirm with the old one, even in the same moment', async () => {
  const person = await someone()
  const client = await person.signedIn()
  const confirm = { confirm_type: 'password', secret_key: person.password }
  const answer = await whileChanging(person, another, () => client.post('authentication/confirm/', confirm))
  expect(answer.status).toBe(400)
})
