/** A login that others must confirm: it waits at every door, and only what the right person decided in time lets it on. */
import { rootOrgId } from '@sallyport/contract'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient, type TestComponent } from '../../../testing.ts'
import { addPerson, type TestPerson } from '../../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient
let gateway: TestComponent
let chief: TestPerson
let chiefHere: TestClient
let person: TestPerson
let ruleId = ''
beforeAll(async () => {
  admin = await system.admin()
  gateway = await system.component('gateway-1')
  chief = await addPerson(system, admin)
  chiefHere = await chief.signedIn()
})
beforeEach(async () => {
  person = await addPerson(system, admin)
  ruleId = await review(person, [chief.id])
})

const status = 'authentication/login-confirm-ticket/status/'
const always = [0, 1, 2, 3, 4, 5, 6].map((id) => ({ id, value: '00:00~00:00' }))
async function review({ id: user }: TestPerson, reviewers: string[]): Promise<string> {
  const rules = { ip_group: ['*'], time_period: always }
  const made = await admin.post('acls/login-acls/', { name: 'ask', user, action: 'review', reviewers, rules })
  expect(made).toMatchObject({ status: 201 })
  return String(made.body['id'])
}

interface Waiting {
  client: TestClient
  ticket: string
}
/** Somebody at the page, who has given name and password. */
async function waiting(of = person): Promise<Waiting> {
  const client = system.client({ address: '10.4.0.1' })
  const answer = await client.signIn(of.username, of.password)
  expect(answer).toMatchObject({ status: 200, body: { error: 'login_confirm_wait' } })
  return { client, ticket: String(answer.body['data']?.['ticket_id']) }
}
const decide = (ticket: string, what: 'approve' | 'reject' | 'close', by = chiefHere) =>
  by.put(`tickets/tickets/${ticket}/${what}/`)
const goOn = (client: TestClient) => client.get('/core/auth/login/guard/')
const isIn = async (client: TestClient) => (await client.get('users/profile/')).status === 200
/** What became of it, as its applicant is told who cannot look yet. */
const stateOf = async (ticket: string) =>
  (
    await system.database.pool.query<{ state: string; status: string }>(
      'select state, status from tickets where id = $1',
      [ticket],
    )
  ).rows[0]

describe('on the page', () => {
  test('a login waits until it is approved by another person, and goes on, once', async () => {
    const { client, ticket } = await waiting()
    expect(await isIn(client)).toBe(false)
    expect((await client.get('authentication/sign-in/')).body).toMatchObject({
      owed: { error: 'login_confirm_wait', data: { ticket_id: ticket } },
    })
    expect((await goOn(client)).headers['location']).toBe('/core/auth/login/wait-confirm/')
    expect(await client.get(status)).toMatchObject({
      status: 200,
      body: { error: 'login_confirm_wait', data: { ticket_id: ticket } },
    })
    expect(await decide(ticket, 'approve')).toMatchObject({ status: 200, body: 'ok' })
    expect((await client.get(status)).body).toEqual({ msg: 'ok' })
    const half = new Map(client.cookies)
    expect((await goOn(client)).headers['location']).toBe('/')
    expect(await isIn(client)).toBe(true)
    const again = system.client({ address: '10.4.0.1' })
    for (const [name, value] of half) again.cookies.set(name, value)
    expect((await goOn(again)).headers['location']).toBe('/core/auth/login/')
    expect(await isIn(again)).toBe(false)
  })

  test('one that is rejected tells so, and is over', async () => {
    const { client, ticket } = await waiting()
    await decide(ticket, 'reject')
    expect((await client.get(status)).body).toEqual({
      error: 'login_confirm_error',
      msg: 'Login confirm ticket was Rejected',
      data: { ticket_id: ticket, username: person.username },
    })
    expect((await goOn(client)).headers['location']).toBe('/core/auth/login/')
    expect((await waiting()).ticket).not.toBe(ticket)
  })

  test('who gives up closes the ticket, and nobody can decide it any more', async () => {
    const { client, ticket } = await waiting()
    expect(await client.delete(status)).toMatchObject({ status: 200, body: '' })
    expect(await stateOf(ticket)).toEqual({ state: 'closed', status: 'closed' })
    expect(await decide(ticket, 'approve')).toMatchObject({ status: 400, body: { code: 'ticket_closed' } })
    expect((await client.get(status)).body).toMatchObject({ error: 'login_confirm_error' })
    expect(await isIn(client)).toBe(false)
  })

  test('others are asked only once the second factor is proven', async () => {
    const careful = await addPerson(system, admin, { mfa_level: 2 })
    await review(careful, [chief.id])
    const answer = await system.client().signIn(careful.username, careful.password)
    expect(answer.body).toMatchObject({ error: 'mfa_unset' })
  })
})

describe('for a program', () => {
  test('a login waits, and goes on with the same cookies', async () => {
    const client = system.client({ address: '10.4.0.2' })
    const { username, password } = person
    const ask = () => client.post('authentication/tokens/', { username, password })
    const first = await ask()
    expect(first).toMatchObject({ status: 200, body: { error: 'login_confirm_wait' } })
    expect((await ask()).body['data']).toEqual(first.body['data'])
    await decide(String(first.body['data']?.['ticket_id']), 'approve')
    expect(await client.post('authentication/tokens/', {})).toMatchObject({ status: 201 })
  })

  test('one that is rejected is answered with the reason', async () => {
    const client = system.client({ address: '10.4.0.2' })
    const { username, password } = person
    const first = await client.post('authentication/tokens/', { username, password })
    await decide(String(first.body['data']?.['ticket_id']), 'reject')
    expect(await client.post('authentication/tokens/', { username, password })).toMatchObject({
      status: 200,
      body: { error: 'login_confirm_error', data: { username } },
    })
  })
})

test('through a gateway a login waits for the person it is about, and is given up with the connection', async () => {
  const { username, password } = person
  const ask = () => gateway.post('authentication/tokens/', { username, password, remote_addr: '10.9.0.1' })
  const first = await ask()
  const ticket = String(first.body['data']?.['ticket_id'])
  expect((await chiefHere.get(`tickets/apply-login-tickets/${ticket}/`)).body).toMatchObject({
    apply_login_ip: '10.9.0.1',
    apply_login_city: 'LAN',
  })
  expect((await gateway.get(status)).body).toMatchObject({ error: 'login_confirm_wait' })
  await decide(ticket, 'approve')
  expect((await gateway.get(status)).body).toEqual({ msg: 'ok' })
  expect(await ask()).toMatchObject({ status: 201, body: { user: { username } } })
  const second = await ask()
  await gateway.delete(status)
  expect(await stateOf(String(second.body['data']?.['ticket_id']))).toMatchObject({ state: 'closed' })
})

describe('does not count', () => {
  test('what the applicant decides', async () => {
    const both = await addPerson(system, admin)
    const bothHere = await both.signedIn()
    const other = await addPerson(system, admin)
    await review(both, [both.id, other.id])
    const { client, ticket } = await waiting(both)
    expect(await decide(ticket, 'approve', bothHere)).toMatchObject({ status: 403 })
    expect((await client.get(status)).body).toMatchObject({ error: 'login_confirm_wait' })
    await admin.delete(`users/users/${other.id}/`)
    expect(await system.client().signIn(both.username, both.password)).toMatchObject({
      status: 400,
      body: { error: 'login_confirm_error', msg: expect.stringMatching(/nobody is there/) },
    })
  })

  test('what others decide, not even an administrator who is not asked', async () => {
    const { ticket } = await waiting()
    const stranger = await (await addPerson(system, admin)).signedIn()
    expect(await decide(ticket, 'approve', stranger)).toMatchObject({ status: 404 })
    expect(await decide(ticket, 'approve', admin)).toMatchObject({ status: 404 })
  })

  test('the word of somebody who is no reviewer any more, before and after it was given', async () => {
    const other = await addPerson(system, admin)
    const before = await waiting()
    await admin.patch(`acls/login-acls/${ruleId}/`, { reviewers: [other.id] })
    expect(await decide(before.ticket, 'approve')).toMatchObject({ status: 403 })
    await admin.patch(`acls/login-acls/${ruleId}/`, { reviewers: [chief.id] })
    const after = await waiting()
    expect(await decide(after.ticket, 'approve')).toMatchObject({ status: 200 })
    await admin.patch(`acls/login-acls/${ruleId}/`, { reviewers: [other.id] })
    expect((await goOn(after.client)).headers['location']).toBe('/core/auth/login/')
    expect(await isIn(after.client)).toBe(false)
  })

  test('an approval by somebody who was disabled meanwhile', async () => {
    const other = await addPerson(system, admin)
    const otherHere = await other.signedIn()
    await admin.patch(`acls/login-acls/${ruleId}/`, { reviewers: [other.id] })
    const { client, ticket } = await waiting()
    expect(await decide(ticket, 'approve', otherHere)).toMatchObject({ status: 200 })
    await admin.patch(`users/users/${other.id}/`, { is_active: false })
    await goOn(client)
    expect(await isIn(client)).toBe(false)
  })

  test('an approval from another address than the one it was given for', async () => {
    const { client, ticket } = await waiting()
    await decide(ticket, 'approve')
    const elsewhere = system.client({ address: '10.4.0.99' })
    for (const [name, value] of client.cookies) elsewhere.cookies.set(name, value)
    await goOn(elsewhere)
    expect(await isIn(elsewhere)).toBe(false)
  })

  test('an approval that comes too late, or is used too late', async () => {
    const expire = (ticket: string) =>
      system.database.pool.query(`update tickets set date_expired = now() where id = $1`, [ticket])
    const late = await waiting()
    await expire(late.ticket)
    expect(await decide(late.ticket, 'approve')).toMatchObject({
      status: 400,
      body: { code: 'ticket_closed' },
    })
    const used = await waiting()
    await decide(used.ticket, 'approve')
    await expire(used.ticket)
    await goOn(used.client)
    expect(await isIn(used.client)).toBe(false)
  })

  test.each([
    ['the password is another', { password: 'Another-password-9', password_strategy: 'custom' }],
    ['the account is disabled', { is_active: false }],
  ])('a confirmation of a login once %s', async (_when, change) => {
    const { client, ticket } = await waiting()
    expect((await admin.patch(`users/users/${person.id}/`, change)).status).toBe(200)
    expect(await stateOf(ticket)).toEqual({ state: 'closed', status: 'closed' })
    expect(await decide(ticket, 'approve')).toMatchObject({ status: 400 })
    await goOn(client)
    expect(await isIn(client)).toBe(false)
  })
})

test('a rule holds when whoever it asks is disabled or deleted: nobody is let in unseen', async () => {
  const watched = await addPerson(system, admin)
  const watcher = await addPerson(system, admin)
  await review(watched, [watcher.id])
  const enter = () => system.client({ address: '10.4.0.1' }).signIn(watched.username, watched.password)
  const refused = { status: 400, body: { error: 'login_confirm_error' } }
  await admin.patch(`users/users/${watcher.id}/`, { is_active: false })
  expect(await enter()).toMatchObject(refused)
  expect((await admin.delete(`users/users/${watcher.id}/`)).status).toBe(204)
  expect(await enter()).toMatchObject(refused)
})

test('nobody floods the reviewers: after some tickets a login is refused for a while', async () => {
  let answer = await system.client().signIn(person.username, person.password)
  for (let asked = 1; asked < 11; asked++)
    answer = await system.client().signIn(person.username, person.password)
  expect(answer).toMatchObject({
    status: 400,
    body: { error: 'login_confirm_error', msg: expect.stringMatching(/minutes/) },
  })
})

test('the books say that a login was not confirmed', async () => {
  const { client, ticket } = await waiting()
  await decide(ticket, 'reject')
  await goOn(client)
  const logs = await admin.get(`audits/login-logs/?username=${person.username}`, { org: rootOrgId })
  expect(JSON.stringify(logs.body)).toContain('The login was not confirmed')
})
