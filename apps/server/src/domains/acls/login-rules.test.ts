/** From where and when somebody may come in, at every door. */
import { roleIds, rootOrgId } from '@sallyport/contract'
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

const path = 'acls/login-acls/'
const always = [0, 1, 2, 3, 4, 5, 6].map((id) => ({ id, value: '00:00~00:00' }))
const rule = (user: string, fields: Record<string, unknown> = {}) => ({
  name: 'a rule',
  user,
  action: 'reject',
  rules: { ip_group: ['10.4.0.0/16'], time_period: always },
  ...fields,
})
const add = async (user: string, fields?: Record<string, unknown>) => {
  const made = await admin.post(path, rule(user, fields))
  expect(made).toMatchObject({ status: 201 })
  return made.body
}

const doors: [string, (person: TestPerson, address: string) => Promise<TestAnswer>][] = [
  ['on the page', ({ username, password }, address) => system.client({ address }).signIn(username, password)],
  [
    'for a program',
    ({ username, password }, address) =>
      system.client({ address }).post('authentication/tokens/', { username, password }),
  ],
  [
    'through a gateway',
    ({ username, password }, remote_addr) =>
      gateway.post('authentication/tokens/', { username, password, remote_addr }),
  ],
]
const here = '10.4.0.1'
const elsewhere = '10.5.0.1'

describe.each(doors)('%s', (_door, come) => {
  test('who comes from an address that a rule rejects is refused, with the right password alone', async () => {
    const person = await addPerson(system, admin)
    await add(person.id)
    expect(await come(person, here)).toMatchObject({ status: 400, body: { error: 'acl_error' } })
    expect(await come({ ...person, password: 'wrong' }, here)).toMatchObject({
      body: { error: 'password_failed' },
    })
    expect((await come(person, elsewhere)).status).toBeLessThan(300)
    const logs = await admin.get(`audits/login-logs/?username=${person.username}`, { org: rootOrgId })
    expect(JSON.stringify(logs.body)).toContain('acl_not_allow')
  })
})

test('the rule with the higher priority decides, and one that is switched off does not', async () => {
  const person = await addPerson(system, admin)
  const [, , [, come]] = doors as [unknown, unknown, (typeof doors)[0]]
  const low = await add(person.id, { priority: 10 })
  const high = await add(person.id, { priority: 90, action: 'accept' })
  expect((await come(person, here)).status).toBe(201)
  await admin.patch(`${path}${String(high['id'])}/`, { is_active: false })
  expect((await come(person, here)).status).toBe(400)
  await admin.delete(`${path}${String(low['id'])}/`)
  expect((await come(person, here)).status).toBe(201)
})

test('a rule that comes between the password and the code stands in the way', async () => {
  const person = await addPerson(system, admin, { mfa_level: 2 })
  const client = system.client({ address: here })
  expect((await client.signIn(person.username, person.password)).body).toMatchObject({ error: 'mfa_unset' })
  await add(person.id)
  expect((await client.post('authentication/mfa/otp/start/')).body).toMatchObject({ error: 'session_empty' })
  expect((await client.get('/core/auth/login/guard/')).headers['location']).toBe('/core/auth/login/')
})

test('one that notifies lets in and tells its reviewers', async () => {
  const [person, chief] = [await addPerson(system, admin), await addPerson(system, admin)]
  await add(person.id, { name: 'watch this one', action: 'notice', reviewers: [chief.id] })
  const answer = await system.client({ address: here }).signIn(person.username, person.password)
  expect(answer.status).toBe(200)
  const messages = await (await chief.signedIn()).get('notifications/site-messages/')
  expect(JSON.stringify(messages.body)).toContain('watch this one')
  expect(JSON.stringify(messages.body)).toContain(here)
})

describe('rules', () => {
  test('are shown as they were written', async () => {
    const person = await addPerson(system, admin)
    const made = await add(person.id, { name: 'office only', comment: 'x' })
    expect((await admin.get(`${path}?user=${person.id}`)).body).toMatchObject([
      {
        id: made['id'],
        name: 'office only',
        priority: 50,
        user: { id: person.id },
        rules: { ip_group: ['10.4.0.0/16'], time_period: always },
        action: { value: 'reject', label: 'Reject' },
        is_active: true,
        reviewers: [],
        reviewers_amount: 0,
      },
    ])
    expect((await admin.get(`${path}?user_display=${person.username}`)).body).toHaveLength(1)
    const patched = await admin.patch(`${path}${String(made['id'])}/`, { rules: { ip_group: ['*'] } })
    expect(patched.body['rules']).toEqual({ ip_group: ['*'], time_period: always })
  })

  test.each([
    [
      { rules: { ip_group: ['10.0.0.1', 'nowhere'] } },
      { rules: { ip_group: { 1: ['IP address invalid: `nowhere`'] } } },
    ],
    [
      { rules: { time_period: [{ id: 1, value: 'noon' }] } },
      { rules: { time_period: [expect.stringMatching(/noon/)] } },
    ],
    [{ priority: 0 }, { priority: [expect.any(String)] }],
    [{ priority: 101 }, { priority: [expect.any(String)] }],
    [{ action: 'review' }, { reviewers: ['This field is required.'] }],
    [{ action: undefined }, { action: ['This field is required.'] }],
  ])('with %j are refused at the field', async (fields, body) => {
    const person = await addPerson(system, admin)
    expect(await admin.post(path, rule(person.id, fields))).toMatchObject({ status: 400, body })
  })

  test('that ask for a review name somebody else than their person, however they come to', async () => {
    const [person, chief] = [await addPerson(system, admin), await addPerson(system, admin)]
    const refused = { status: 400, body: { reviewers: [expect.stringContaining('their own login')] } }
    const review = { action: 'review', reviewers: [person.id] }
    expect(await admin.post(path, rule(person.id, review))).toMatchObject(refused)
    const both = await add(person.id, { ...review, reviewers: [person.id, chief.id] })
    const one = `${path}${String(both['id'])}/`
    expect(await admin.patch(one, { reviewers: [person.id] })).toMatchObject(refused)
    expect((await admin.patch(one, { reviewers: [chief.id] })).status).toBe(200)
    expect(await admin.patch(one, { user: chief.id })).toMatchObject(refused)
    // Being told of one's own login does no harm, waiting for oneself would.
    expect((await admin.patch(one, { action: 'notice', reviewers: [person.id] })).status).toBe(200)
    expect(await admin.patch(one, { action: 'review' })).toMatchObject(refused)
    const nobody = await add(person.id)
    const asking = await admin.patch(`${path}${String(nobody['id'])}/`, { action: 'review' })
    expect(asking).toMatchObject({ status: 400, body: { reviewers: [expect.any(String)] } })
  })

  test('about themselves are made, changed and lifted by nobody but the administrator of the system', async () => {
    const chief = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] })
    const client = await chief.signedIn()
    const one = `${path}${String((await add(chief.id))['id'])}/`
    const refused = { status: 403, body: { code: 'own_login_rule' } }
    expect(await client.patch(one, { is_active: false })).toMatchObject(refused)
    expect(await client.delete(one)).toMatchObject(refused)
    expect(await client.post(path, rule(chief.id, { action: 'accept' }))).toMatchObject(refused)
    const member = await addPerson(system, admin)
    const other = `${path}${String((await add(member.id))['id'])}/`
    expect(await client.patch(other, { user: chief.id })).toMatchObject(refused)
    expect((await client.patch(other, { is_active: false })).status).toBe(200)
    expect((await admin.delete(one)).status).toBe(204)
  })

  test('are made for people of one’s organization alone, and not for those with more rights', async () => {
    const chief = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] })
    const client = await chief.signedIn()
    const [member, outsider] = [await addPerson(system, admin), await addPerson(system, admin)]
    await system.database.pool.query('delete from role_bindings where user_id = $1 and org_id is not null', [
      outsider.id,
    ])
    expect((await client.post(path, rule(member.id))).status).toBe(201)
    expect((await client.post(path, rule(outsider.id))).status).toBe(400)
    const { rows } = await system.database.pool.query<{ id: string }>(
      `select id from users where username = 'admin'`,
    )
    expect((await client.post(path, rule(String(rows[0]?.id)))).status).toBe(403)
    expect((await (await member.signedIn()).get(path)).status).toBe(403)
  })
})
