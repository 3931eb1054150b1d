/** Who can say again who they are: browsers, and programs with a Bearer token; not programs with an access key. */
import { createHmac } from 'node:crypto'
import { roleIds } from '@sallyport/contract'
import { describe, expect, test } from 'vitest'
import { addPerson } from '../../testing-people.ts'
import { startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
const key = 'authentication/access-keys/'
const confirm = (client: TestClient, secret_key: string) =>
  client.post('authentication/confirm/', { confirm_type: 'password', secret_key })

async function bearer(username: string, password: string): Promise<TestClient> {
  const answer = await system.client().post('authentication/tokens/', { username, password })
  expect(answer.status).toBe(201)
  return system.client({ headers: { authorization: `Bearer ${String(answer.body['token'])}` } })
}

test('a program with a Bearer token confirms by password, for that token alone', async () => {
  const { username, password } = await addPerson(system, admin)
  const [program, other] = [await bearer(username, password), await bearer(username, password)]
  expect(await program.post(key)).toMatchObject({ status: 400, body: { code: 'password' } })
  expect((await program.get('authentication/confirm/')).body).toMatchObject({ confirm_type: 'password' })
  expect(await confirm(program, 'wrong')).toMatchObject({ status: 400, body: { error: expect.any(String) } })
  expect(await confirm(program, password)).toMatchObject({ status: 200, body: 'ok' })
  expect(await program.post(key)).toMatchObject({ status: 201, body: { secret: expect.any(String) } })
  expect(await other.post(key)).toMatchObject({ status: 400, body: { code: 'password' } })
})

test('a program with an access key is told that it cannot confirm, and does nothing sensitive', async () => {
  const person = await addPerson(system, admin)
  const browser = await person.signedIn()
  await confirm(browser, person.password)
  const { id, secret } = (await browser.post(key)).body
  const signed = async (method: 'get' | 'post', path: string, body?: unknown) => {
    const date = new Date().toUTCString()
    const text = `(request-target): ${method} /api/v1/${path}\ndate: ${date}`
    const signature = createHmac('sha256', String(secret)).update(text).digest('base64')
    const authorization = `Signature keyId="${String(id)}",algorithm="hmac-sha256",headers="(request-target) date",signature="${signature}"`
    const program = system.client({ headers: { date, authorization } })
    return method === 'get' ? await program.get(path) : await program.post(path, body)
  }
  expect((await signed('get', 'users/profile/')).body).toMatchObject({ username: person.username })
  const refused = { status: 403, body: { code: 'confirm_needs_sign_in' } }
  expect(await signed('post', key, {})).toMatchObject(refused)
  expect(await signed('get', 'authentication/confirm/')).toMatchObject(refused)
  const answer = { confirm_type: 'password', secret_key: person.password }
  expect(await signed('post', 'authentication/confirm/', answer)).toMatchObject(refused)
})

test('asking for a confirmation nobody has heard of, or for two, is refused', async () => {
  const ask = (query: string) => admin.get(`authentication/confirm/?${query}`)
  expect(await ask('confirm_type=oath')).toMatchObject({
    status: 400,
    body: { confirm_type: [expect.any(String)] },
  })
  expect((await ask('confirm_type=mfa&confirm_type=password')).status).toBe(400)
  expect((await admin.post('authentication/mfa/select/', { type: 'sms' })).status).toBe(400)
})

describe('nobody goes round the question who they are', () => {
  const asked = { status: 400, body: { code: 'password' } }
  const chief = () => addPerson(system, admin, { org_roles: [roleIds.orgAdmin] })

  test('by saying that their own password is kept elsewhere, confirmed or not', async () => {
    const person = await chief()
    const { id, username, password } = person
    const client = await person.signedIn()
    const own = { source: 'ldap' }
    const refused = { status: 400, body: { source: [expect.stringMatching(/own/)] } }
    expect(await client.patch(`users/users/${id}/`, own)).toMatchObject(refused)
    expect((await client.patch('users/users/', [{ id, ...own }])).status).toBe(400)
    await confirm(client, password)
    expect(await client.patch(`users/users/${id}/`, own)).toMatchObject(refused)
    const later = await bearer(username, password)
    expect((await later.get('accounts/account-secrets/')).body).toMatchObject({ code: 'mfa' })
  })

  test('by having another administrator’s browser say it', async () => {
    const [one, other] = [await chief(), await chief()]
    const [client, helper] = [await one.signedIn(), await other.signedIn()]
    const elsewhere = () => helper.patch(`users/users/${one.id}/`, { source: 'ldap' })
    expect(await elsewhere()).toMatchObject(asked)
    await confirm(helper, other.password)
    expect((await elsewhere()).status).toBe(200)
    // What was opened with a password that is theirs no more is over.
    expect((await client.get('accounts/account-secrets/')).status).toBe(401)
  })

  test('by giving themselves another name, address or time', async () => {
    const person = await chief()
    const { id, username, password } = person
    const client = await person.signedIn()
    const path = `users/users/${id}/`
    for (const change of [
      { username: `${username}-2` },
      { email: 'elsewhere@example.com' },
      { date_expired: '2090/01/01 00:00:00 +0000' },
    ])
      expect(await client.patch(path, change)).toMatchObject(asked)
    // A form that sends back what it was shown is asked nothing.
    const { name, email } = (await client.get(path)).body
    expect((await client.patch(path, { name, email, username, comment: 'here' })).status).toBe(200)
    await confirm(client, password)
    expect((await client.patch(path, { email: 'elsewhere@example.com' })).status).toBe(200)
  })
})

test('the built-in administrator is not locked out by a source or an end', async () => {
  const { rows } = await system.database.pool.query<{ id: string }>(
    `select id from users where username = 'admin'`,
  )
  const id = rows[0]?.id
  const helper = await addPerson(system, admin, { system_roles: [roleIds.systemAdmin] })
  const client = await helper.signedIn()
  await confirm(client, helper.password)
  for (const [change, field] of [
    [{ source: 'ldap' }, 'source'],
    [{ date_expired: '2020/01/01 00:00:00 +0000' }, 'date_expired'],
  ] as const) {
    const refused = { status: 400, body: { [field]: [expect.stringMatching(/built-in/)] } }
    expect(await client.patch(`users/users/${id}/`, change)).toMatchObject(refused)
    expect((await client.patch('users/users/', [{ id, ...change }])).status).toBe(400)
  }
  await system.admin()
})
