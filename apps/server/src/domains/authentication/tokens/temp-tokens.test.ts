/** Passwords that are good once, and a person's own signed-in browsers. */
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../../testing.ts'
import { addPerson, type TestPerson } from '../../../testing-people.ts'
import { createSettings } from '../../settings/index.ts'

const system = await startTestSystem()
const settings = createSettings(system.ground)
let admin: TestClient
beforeAll(async () => {
  admin = await system.admin()
  await settings.store(system.database.db, { AUTH_TEMP_TOKEN: true })
})

const path = 'authentication/temp-tokens/'
const confirmed = async (person: TestPerson) => {
  const client = await person.signedIn()
  const answer = { confirm_type: 'password', secret_key: person.password }
  expect((await client.post('authentication/confirm/', answer)).status).toBe(200)
  return client
}

describe('a temporary password', () => {
  test('signs its person in once, is shown to nobody else, and not when it is used', async () => {
    const [person, other] = [await addPerson(system, admin), await addPerson(system, admin)]
    const client = await confirmed(person)
    const made = await client.post(path, {})
    expect(made).toMatchObject({
      status: 201,
      body: { username: person.username, is_valid: true, verified: false },
    })
    const secret = String(made.body['secret'])
    expect(secret).toHaveLength(36)
    const lives = await system.database.pool.query<{ seconds: number }>(
      `select round(extract(epoch from date_expired - now()))::int as seconds from temp_tokens where id = $1`,
      [made.body['id']],
    )
    expect(lives.rows[0]?.seconds).toBeGreaterThan(240)
    expect(lives.rows[0]?.seconds).toBeLessThanOrEqual(300)
    expect((await client.get(path)).body).toMatchObject([{ secret }])
    expect((await (await other.signedIn()).get(path)).body).toEqual([])
    expect((await system.client().signIn(other.username, secret)).status).toBe(400)
    const { rows } = await system.database.pool.query('select * from temp_tokens')
    expect(JSON.stringify(rows)).not.toContain(secret)

    const tries = await Promise.all([1, 2, 3, 4].map(() => system.client().signIn(person.username, secret)))
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await client.get(path)).body).toMatchObject([{ secret: '', is_valid: false, verified: true }])
    await admin.patch(`users/users/${person.id}/unblock/`, {})
    expect((await system.client().signIn(person.username, person.password)).status).toBe(200)
  })

  test('is asked for the second factor like a password, and opens nothing without it', async () => {
    const person = await addPerson(system, admin)
    const secret = String((await (await confirmed(person)).post(path, {})).body['secret'])
    await admin.patch(`users/users/${person.id}/`, { mfa_level: 2 })
    const client = system.client()
    expect((await client.signIn(person.username, secret)).body).toMatchObject({ error: 'mfa_unset' })
    expect((await client.get('users/profile/')).status).toBe(401)
  })

  test.each([
    ['it is ended', (client: TestClient, id: string) => client.patch(`${path}${id}/expire/`, {})],
    [
      'it is five minutes old',
      (_client: TestClient, id: string) =>
        system.database.pool.query(`update temp_tokens set date_expired = now() where id = $1`, [id]),
    ],
    [
      'the password changes',
      (_client: TestClient, _id: string, { id }: TestPerson) =>
        admin.patch(`users/users/${id}/password/`, { password: 'Entirely-new-1' }),
    ],
  ])('is good no more when %s', async (_how, end) => {
    const person = await addPerson(system, admin)
    const client = await confirmed(person)
    const { id, secret } = (await client.post(path, {})).body
    await end(client, String(id), person)
    expect((await system.client().signIn(person.username, String(secret))).status).toBe(400)
  })

  test('needs the person to say again who they are, and the platform to have it', async () => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    expect((await client.post(path, {})).body).toMatchObject({ code: 'password' })
    const other = await confirmed(person)
    await settings.store(system.database.db, { AUTH_TEMP_TOKEN: false })
    expect((await other.post(path, {})).status).toBe(403)
    await settings.store(system.database.db, { AUTH_TEMP_TOKEN: true })
  })
})

describe('signed-in browsers', () => {
  test('are seen and ended by their person alone', async () => {
    const [person, other] = [await addPerson(system, admin), await addPerson(system, admin)]
    const [here, there] = [await person.signedIn(), await person.signedIn()]
    const stranger = await other.signedIn()
    const sessions = 'authentication/user-sessions/'
    const listed = (await here.get(sessions)).body
    expect(listed).toHaveLength(2)
    const away = listed.find((row) => !row['is_current'])
    const address = `${sessions}${String(away?.['id'])}/`
    expect((await stranger.delete(address)).status).toBe(404)
    expect((await here.delete(`${sessions}nonsense/`)).status).toBe(404)
    expect((await here.delete(address)).status).toBe(204)
    expect((await there.get('users/profile/')).status).toBe(401)
    expect((await here.get(sessions)).body).toHaveLength(1)
  })

  test('are one at a time where the platform says so', async () => {
    const person = await addPerson(system, admin)
    await settings.store(system.database.db, { USER_LOGIN_SINGLE_MACHINE_ENABLED: true })
    const [first, second] = [await person.signedIn(), await person.signedIn()]
    expect((await first.get('users/profile/')).status).toBe(401)
    expect((await second.get('users/profile/')).status).toBe(200)
    await settings.store(system.database.db, { USER_LOGIN_SINGLE_MACHINE_ENABLED: false })
  })
})
