/** Whoever changes a password or loses an account takes everything along that was opened with it. */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { openLive } from '../../kernel/live.ts'
import { testLog } from '../../kernel/testing/index.ts'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson, type TestPerson } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient

beforeAll(async () => {
  admin = await system.admin()
})

const confirm = (client: TestClient, secret_key: string) =>
  client.post('authentication/confirm/', { confirm_type: 'password', secret_key })
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b laptop'

/** A browser, a program with a token and one with a key, all of one person; whether each is let in. */
async function everyWay(person: TestPerson) {
  const browser = await person.signedIn()
  const answer = await system
    .client()
    .post('authentication/auth/', { username: person.username, password: person.password })
  const token = system.client({ headers: { authorization: `Bearer ${String(answer.body['token'])}` } })
  await confirm(browser, person.password)
  const key = (await browser.post('authentication/access-keys/')).body
  const signed = async () => {
    const date = new Date().toUTCString()
    const path = '/api/v1/users/profile/'
    const signature = createHmac('sha256', String(key['secret']))
      .update(`(request-target): get ${path}\ndate: ${date}`)
      .digest('base64')
    const authorization = `Signature keyId="${String(key['id'])}",algorithm="hmac-sha256",headers="(request-target) date",signature="${signature}"`
    return await system.client({ headers: { date, authorization } }).get(path)
  }
  const statuses = async () => [
    (await browser.get('users/profile/')).status,
    (await token.get('users/profile/')).status,
    (await signed()).status,
  ]
  expect(await statuses()).toEqual([200, 200, 200])
  return { browser, statuses, keyId: String(key['id']) }
}
const in200 = [200, 200, 200]
const out = [401, 401, 401]
const edit = (person: TestPerson, change: Record<string, unknown>) =>
  admin.patch(`users/users/${person.id}/`, change)

describe('browsers, tokens and keys of a person', () => {
  test('end when an administrator sets another password', async () => {
    const person = await addPerson(system, admin)
    const { statuses } = await everyWay(person)
    await admin.patch(`users/users/${person.id}/password/`, { password: 'Set-by-admin-1' })
    expect(await statuses()).toEqual(out)
  })

  test('end when the person takes another password, but for the browser it was taken in', async () => {
    const person = await addPerson(system, admin)
    const { statuses } = await everyWay(person)
    const here = await person.signedIn()
    const next = 'Entirely-new-1'
    const change = { old_password: person.password, new_password: next, new_password_again: next }
    expect((await here.put('users/profile/password/', change)).status).toBe(200)
    expect(await statuses()).toEqual(out)
    expect((await here.get('users/profile/')).status).toBe(200)
  })

  test('end when the person is disabled, and do not come back with the person', async () => {
    const person = await addPerson(system, admin)
    const { statuses } = await everyWay(person)
    expect((await edit(person, { is_active: false })).status).toBe(200)
    expect(await statuses()).toEqual(out)
    expect((await edit(person, { is_active: true })).status).toBe(200)
    expect(await statuses()).toEqual(out)
    await person.signedIn()
  })

  test('end the moment the account expires, and do not come back when it is prolonged', async () => {
    const person = await addPerson(system, admin)
    const { statuses } = await everyWay(person)
    const soon = new Date(Date.now() + 1500)
    await system.database.pool.query('update users set date_expired = $1 where id = $2', [soon, person.id])
    // Something that drops what was remembered, as the form that sets the date does.
    await edit(person, { comment: 'until then' })
    expect(await statuses()).toEqual(in200)
    while (Date.now() <= soon.getTime()) await sleep(50)
    expect(await statuses()).toEqual(out)
    expect((await edit(person, { date_expired: null })).status).toBe(200)
    expect(await statuses()).toEqual(out)
  })

  test('stay when something else of the person changes', async () => {
    const person = await addPerson(system, admin)
    const { statuses } = await everyWay(person)
    expect((await edit(person, { comment: 'seen', phone: '13800000000' })).status).toBe(200)
    expect(await statuses()).toEqual(in200)
  })
})

test('a connection that was about to begin does not, once the password is another', async () => {
  const person = await addPerson(system, admin)
  const { rows } = await system.database.pool.query<{ id: string }>(
    `insert into connection_tokens (value, user_id, asset_id, account, connect_method, protocol, user_display, asset_display, org_id, date_expired)
     values ('x', $1, $1, 'root', 'ssh', 'ssh', '', '', $1, now() + interval '5 minutes') returning id`,
    [person.id],
  )
  await admin.patch(`users/users/${person.id}/password/`, { password: 'Set-by-admin-1' })
  const left = await system.database.pool.query(
    'select 1 from connection_tokens where id = $1 and is_active',
    [rows[0]?.id],
  )
  expect(left.rows).toEqual([])
})

describe('a new key', () => {
  const unconfirmed = { status: 400, body: { code: 'password' } }

  test('for programs is made, or switched on, only by somebody who has just said who they are', async () => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    expect(await client.post('authentication/access-keys/')).toMatchObject(unconfirmed)
    await confirm(client, person.password)
    const made = await client.post('authentication/access-keys/')
    expect(made.status).toBe(201)
    const key = `authentication/access-keys/${String(made.body['id'])}/`
    expect((await client.patch(key, { is_active: false })).status).toBe(200)
    const later = await person.signedIn()
    expect(await later.patch(key, { is_active: true })).toMatchObject(unconfirmed)
    expect(await later.put(key, { is_active: true })).toMatchObject(unconfirmed)
    await confirm(later, person.password)
    expect((await later.patch(key, { is_active: true })).status).toBe(200)
  })

  test('is made by no program that has not just said who it is', async () => {
    const person = await addPerson(system, admin)
    const answer = await system
      .client()
      .post('authentication/auth/', { username: person.username, password: person.password })
    const token = system.client({ headers: { authorization: `Bearer ${String(answer.body['token'])}` } })
    expect(await token.post('authentication/access-keys/')).toMatchObject(unconfirmed)
    expect(await token.patch('users/profile/', { public_key: publicKey })).toMatchObject(unconfirmed)
  })

  test.each<[string, (client: TestClient) => ReturnType<TestClient['put']>]>([
    ['its own form', (client) => client.put('users/profile/public-key/', { public_key: publicKey })],
    ['the profile', (client) => client.patch('users/profile/', { public_key: publicKey })],
  ])('for terminals is taken by %s only from somebody who has just said who they are', async (_way, set) => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    expect(await set(client)).toMatchObject(unconfirmed)
    await confirm(client, person.password)
    expect((await set(client)).status).toBe(200)
  })

  test('or password of one’s own is not set by way of the list of people either', async () => {
    const chief = await addPerson(system, admin, { system_roles: ['00000000-0000-0000-0000-000000000001'] })
    const client = await chief.signedIn()
    const path = `users/users/${chief.id}/`
    expect(await client.patch(path, { public_key: publicKey })).toMatchObject(unconfirmed)
    expect(await client.patch(path, { password: 'Taken-over-1' })).toMatchObject(unconfirmed)
    expect(await client.patch(`${path}password/`, { password: 'Taken-over-1' })).toMatchObject(unconfirmed)
    await confirm(client, chief.password)
    expect((await client.patch(path, { public_key: publicKey })).status).toBe(200)
  })
})

test('a sign-in is forgotten everywhere before its sockets are told, so that none is let in between', async () => {
  const heard: string[] = []
  const live = await openLive(system.database, testLog)
  for (const channel of ['access', 'sign_ins_ended']) live.subscribe(channel, () => heard.push(channel))
  const person = await addPerson(system, admin)
  const browsers = [await person.signedIn(), await person.signedIn()] as const
  const own = await browsers[0].get('authentication/user-sessions/')
  const other = (own.body as unknown as Record<string, unknown>[]).find((one) => one['is_current'] === false)
  const ends = [
    () => browsers[0].delete(`authentication/user-sessions/${String(other?.['id'])}/`),
    () => browsers[0].get('/core/auth/logout/'),
    () => edit(person, { is_active: false }),
  ]
  for (const end of ends) {
    heard.length = 0
    expect((await end()).status).toBeLessThan(400)
    await expect.poll(() => heard).toContain('sign_ins_ended')
    expect(heard[0]).toBe('access')
  }
  await live.close()
})
