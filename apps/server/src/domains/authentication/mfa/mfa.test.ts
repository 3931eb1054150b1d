/** Second factors at every door: what half a sign-in opens, whose code counts, how often, and who decides. */
import { cookies, roleIds, rootOrgId } from '@sallyport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestAnswer, type TestClient, type TestComponent } from '../../../testing.ts'
import { addPerson, type TestPerson } from '../../../testing-people.ts'
import { createSettings } from '../../settings/index.ts'
import { codeOf, stepAt } from './totp.ts'

const system = await startTestSystem()
let admin: TestClient
let gateway: TestComponent
let addresses = 0
/** Tries count per address, so every test comes from its own. */
const stranger = () => system.client({ address: `10.3.0.${++addresses}` })
const settings = createSettings(system.ground)

beforeAll(async () => {
  admin = await system.admin()
  gateway = await system.component('gateway-1')
})

/** An authenticator app: shows its codes one after the other, each another one. */
interface App {
  secret: string
  /** The next code that was not shown yet. */
  code: () => string
}
interface Protected extends TestPerson {
  app: App
  recoveryCodes: string[]
  /** Begins signing in on the page. */
  begin: (client?: TestClient) => Promise<{ client: TestClient; answer: TestAnswer }>
}

function appOf(secret: string): App {
  let shown = stepAt(Date.now()) - 2
  return { secret, code: () => codeOf(secret, shown++) }
}

const confirmPassword = (client: TestClient, { password }: TestPerson) =>
  client.post('authentication/confirm/', { confirm_type: 'password', secret_key: password })

async function bind(client: TestClient): Promise<{ app: App; recoveryCodes: string[] }> {
  const started = await client.post('authentication/mfa/otp/start/')
  expect(started.status).toBe(200)
  const app = appOf(String(started.body['secret']))
  const bound = await client.post('authentication/mfa/otp/bind/', { code: app.code() })
  expect(bound.status).toBe(200)
  return { app, recoveryCodes: bound.body['recovery_codes'] as unknown as string[] }
}

/** Somebody who signs in with a password and a code. */
async function addProtected(fields: Record<string, unknown> = {}): Promise<Protected> {
  const person = await addPerson(system, admin, { ...fields })
  const client = await person.signedIn()
  expect((await confirmPassword(client, person)).status).toBe(200)
  const { app, recoveryCodes } = await bind(client)
  expect((await client.patch('users/profile/', { mfa_level: 1 })).status).toBe(200)
  return {
    ...person,
    app,
    recoveryCodes,
    begin: async (from = stranger()) => ({
      client: from,
      answer: await from.signIn(person.username, person.password),
    }),
  }
}
const answerCode = (client: TestClient, code: string, more = {}) =>
  client.post('/core/auth/login/mfa/', { code, mfa_type: 'otp', ...more })
const asked = {
  status: 200,
  body: {
    error: 'mfa_required',
    msg: 'MFA required',
    data: { choices: ['otp'], url: '/api/v1/authentication/mfa/challenge/' },
  },
}
const limit = 7

describe('on the page', () => {
  test('the password is asked for a code, and the code lets in', async () => {
    const person = await addProtected()
    const { client, answer } = await person.begin()
    expect(answer).toMatchObject(asked)
    expect((await client.get('users/profile/')).status).toBe(401)
    expect((await client.get('authentication/sign-in/')).body).toMatchObject({ owed: asked.body })
    expect(await answerCode(client, '000000')).toMatchObject({ status: 400, body: { error: 'mfa_failed' } })
    expect(await answerCode(client, person.app.code())).toMatchObject({ status: 200, body: { next: '/' } })
    expect((await client.get('users/profile/')).body).toMatchObject({
      username: person.username,
      mfa_enabled: true,
      is_otp_secret_key_bound: true,
    })
    const logs = await admin.get(`audits/login-logs/?username=${person.username}`, { org: rootOrgId })
    expect(logs.body.slice(0, 2)).toMatchObject([
      { status: { value: true }, mfa: { value: 1 }, backend: 'Password' },
      { status: { value: false }, reason: 'mfa_failed', backend: 'MFA' },
    ])
  })

  test('half a sign-in opens nothing: no call, no socket, no other door', async () => {
    const person = await addProtected()
    const { client } = await person.begin()
    const half = client.cookies.get(cookies.pendingSignIn) ?? ''
    expect(half).not.toBe('')
    expect(client.cookies.has(cookies.session)).toBe(false)
    for (const path of [
      'users/profile/',
      'assets/assets/',
      'authentication/access-keys/',
      'settings/public/',
    ])
      expect((await client.get(path)).status).toBe(401)
    // Neither as a session, nor as a token, nor as a sign-in of another kind.
    const disguised = system.client()
    disguised.cookies.set(cookies.session, half)
    expect((await disguised.get('users/profile/')).status).toBe(401)
    const bearer = system.client({ headers: { authorization: `Bearer ${half}` } })
    expect((await bearer.get('users/profile/')).status).toBe(401)
    expect((await client.post('authentication/tokens/', {})).status).toBe(400)
    expect((await client.post('authentication/mfa/otp/disable/', { code: '000000' })).status).toBe(401)
    expect((await client.post('authentication/mfa/otp/start/')).body).toMatchObject({
      error: 'session_empty',
    })
    const guard = await client.get('/core/auth/login/guard/?next=//evil.example')
    expect(guard).toMatchObject({ status: 302, headers: { location: '/core/auth/login/mfa/' } })
  })

  test('a form is led from step to step, and only inside this site', async () => {
    const person = await addProtected()
    const client = stranger()
    await client.get('/core/auth/login/')
    const form = (path: string, fields: Record<string, string>) =>
      client.post(path, new URLSearchParams(fields).toString(), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const begun = await form('/core/auth/login/?next=/ui/profile/info', {
      username: person.username,
      password: person.password,
    })
    const page = '/core/auth/login/mfa/?next=%2Fui%2Fprofile%2Finfo'
    expect(begun).toMatchObject({ status: 302, headers: { location: page } })
    const done = await form('/core/auth/login/mfa/?next=https://evil.example', {
      code: person.app.code(),
      mfa_type: 'otp',
    })
    expect(done).toMatchObject({ status: 302, headers: { location: '/' } })
  })

  test('a code is good once, however many show it at the same time', async () => {
    const person = await addProtected()
    const code = person.app.code()
    const begun = await Promise.all([1, 2, 3, 4, 5].map(() => person.begin()))
    const answers = await Promise.all(begun.map(({ client }) => answerCode(client, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { client } = await person.begin()
    expect((await answerCode(client, code)).status).toBe(400)
    expect((await answerCode(client, person.app.code())).status).toBe(200)
  })

  test('a sign-in is finished once, however often the right answers are sent', async () => {
    const person = await addProtected()
    const { client } = await person.begin()
    const half = client.cookies.get(cookies.pendingSignIn) ?? ''
    expect((await answerCode(client, person.app.code())).status).toBe(200)
    const again = stranger()
    await again.get('/core/auth/login/')
    again.cookies.set(cookies.pendingSignIn, half)
    expect(await answerCode(again, person.app.code())).toMatchObject({
      status: 400,
      body: { error: 'session_empty' },
    })
  })

  test('a recovery code stands in for the app, once', async () => {
    const person = await addProtected()
    expect(person.recoveryCodes).toHaveLength(10)
    const [first = ''] = person.recoveryCodes
    expect(first).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    expect((await answerCode((await person.begin()).client, first.toLowerCase())).status).toBe(200)
    const { client } = await person.begin()
    expect((await answerCode(client, first)).status).toBe(400)
    expect((await answerCode(client, person.app.code())).status).toBe(200)
    expect((await client.get('authentication/mfa/otp/')).body).toEqual({
      is_bound: true,
      is_enabled: true,
      is_forced: false,
      recovery_codes_left: 9,
    })
    const stored = await system.database.pool.query('select * from recovery_codes')
    expect(JSON.stringify(stored.rows)).not.toContain(first.replaceAll('-', ''))
  })

  test('a password that changes between the steps ends the sign-in it began', async () => {
    const person = await addProtected()
    const { client } = await person.begin()
    await admin.patch(`users/users/${person.id}/password/`, { password: 'Entirely-new-1' })
    expect(await answerCode(client, person.app.code())).toMatchObject({
      status: 400,
      body: { error: 'session_empty' },
    })
    const other = stranger()
    const again = await other.signIn(person.username, 'Entirely-new-1')
    expect(again.body).toMatchObject({ error: 'mfa_required' })
    // Even where nobody hears of the change.
    await system.database.pool.query(
      `update users set password_hash = (select password_hash from users where username = 'admin') where id = $1`,
      [person.id],
    )
    expect((await answerCode(other, person.app.code())).status).toBe(400)
  })

  test('who is disabled between the steps is not let in', async () => {
    const person = await addProtected()
    const { client } = await person.begin()
    await system.database.pool.query('update users set is_active = false where id = $1', [person.id])
    expect(await answerCode(client, person.app.code())).toMatchObject({
      status: 400,
      body: { error: 'user_inactive' },
    })
  })

  test('a password that must be changed is changed only when the code was right, too', async () => {
    const person = await addProtected()
    await system.database.pool.query('update users set need_update_password = true where id = $1', [
      person.id,
    ])
    const client = stranger()
    await client.get('/core/auth/login/')
    const begun = await client.post('/core/auth/login/', {
      username: person.username,
      password: person.password,
      new_password: 'Entirely-new-1',
    })
    expect(begun.body).toMatchObject({ error: 'mfa_required' })
    expect((await stranger().signIn(person.username, 'Entirely-new-1')).body).toMatchObject({
      error: 'password_failed',
    })
    expect((await answerCode(client, person.app.code())).status).toBe(200)
    expect((await stranger().signIn(person.username, 'Entirely-new-1')).body).toMatchObject({
      error: 'mfa_required',
    })
  })

  test('the code can be given with the password where the platform says so', async () => {
    const person = await addProtected()
    const together = async (code: string) => {
      const client = stranger()
      await client.get('/core/auth/login/')
      const { username, password } = person
      return await client.post('/core/auth/login/', { username, password, code, mfa_type: 'otp' })
    }
    expect(await together(person.app.code())).toMatchObject(asked)
    await settings.store(system.database.db, { SECURITY_MFA_AUTH: 1, SECURITY_MFA_IN_LOGIN_PAGE: true })
    expect((await together('000000')).body).toMatchObject({ error: 'mfa_failed' })
    expect(await together(person.app.code())).toMatchObject({ status: 200, body: { next: '/' } })
    await settings.store(system.database.db, { SECURITY_MFA_AUTH: 0, SECURITY_MFA_IN_LOGIN_PAGE: false })
  })
})

describe('codes that are guessed', () => {
  test('are looked at up to the limit, from all addresses together, and a right password forgives none', async () => {
    const person = await addProtected()
    const begun = await Promise.all(Array.from({ length: 20 }, () => person.begin()))
    const answers = await Promise.all(
      begun.flatMap(({ client }, row) =>
        Array.from({ length: 5 }, (_, at) => answerCode(client, String(100_000 + row * 5 + at))),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toEqual([])
    const failed = answers.filter(({ body }) => String(body['error']) === 'mfa_failed')
    expect(failed).toHaveLength(limit - 1)
    // Neither the right code now, nor the right password again.
    const [first] = begun
    expect(first && (await answerCode(first.client, person.app.code())).body).toMatchObject({
      error: 'block_mfa',
    })
    expect((await person.begin()).answer).toMatchObject({ status: 400, body: { error: 'block_mfa' } })
    const row = `users/users/${person.id}/`
    expect((await admin.get(row)).body).toMatchObject({ login_blocked: true })
    expect((await admin.patch(`${row}unblock/`, {})).body).toMatchObject({ login_blocked: false })
    const { client } = await person.begin()
    expect((await answerCode(client, person.app.code())).status).toBe(200)
  })

  test('count the same wherever a code is asked for', async () => {
    const person = await addProtected()
    const { client } = await person.begin()
    await answerCode(client, person.app.code())
    const program = stranger()
    await program.post('authentication/tokens/', { username: person.username, password: person.password })
    const other = await person.begin()
    for (const guess of [
      () => client.post('authentication/confirm/', { confirm_type: 'mfa', mfa_type: 'otp', secret_key: '1' }),
      () => client.post('authentication/mfa/otp/disable/', { code: '111111' }),
      () => program.post('authentication/mfa/challenge/', { code: '222222', type: 'otp' }),
      () => answerCode(other.client, '333333'),
      () => client.post('authentication/mfa/verify/', { code: '444444', type: 'otp' }),
      () => answerCode(other.client, '555555'),
    ])
      expect((await guess()).status).toBe(400)
    expect((await answerCode(other.client, '666666')).body).toMatchObject({ error: 'block_mfa' })
    const disabled = await client.post('authentication/mfa/otp/disable/', { code: person.app.code() })
    expect(disabled).toMatchObject({ status: 400, body: { error: expect.stringMatching(/locked/) } })
  })
})

describe('for programs', () => {
  test('the token comes after the challenge, with the same cookies and nothing else', async () => {
    const person = await addProtected()
    const program = stranger()
    const { username, password } = person
    expect(await program.post('authentication/auth/', { username, password })).toMatchObject(asked)
    expect(await program.post('authentication/auth/', {})).toMatchObject(asked)
    const wrong = await program.post('authentication/mfa/challenge/', { code: '000000', type: 'otp' })
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: 'mfa_failed', msg: expect.stringMatching(/6/) },
    })
    const right = { code: person.app.code(), type: 'otp' }
    expect(await program.post('authentication/mfa/challenge/', right)).toMatchObject({
      status: 200,
      body: { msg: 'ok' },
    })
    const done = await program.post('authentication/auth/', {})
    expect(done).toMatchObject({ status: 201, body: { keyword: 'Bearer', user: { username } } })
    const bearer = system.client({ headers: { authorization: `Bearer ${String(done.body['token'])}` } })
    expect((await bearer.get('users/profile/')).status).toBe(200)
    const nobody = await stranger().post('authentication/mfa/challenge/', right)
    expect(nobody).toMatchObject({ status: 400, body: { error: 'session_empty', msg: expect.any(String) } })
  })

  test('whoever must have a second factor and has none is told so', async () => {
    const { username, password } = await addPerson(system, admin, { mfa_level: 2 })
    const answer = await stranger().post('authentication/tokens/', { username, password })
    expect(answer).toMatchObject({ status: 400, body: { error: 'MFA unset, please set first' } })
  })
})

describe('through a gateway', () => {
  test('password or key are asked for the code, in the name of their person’s address', async () => {
    const person = await addProtected()
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b laptop'
    await system.database.pool.query('update users set public_key = $1 where id = $2', [key, person.id])
    const { username, password } = person
    for (const proof of [{ password }, { public_key: key }]) {
      gateway.cookies.clear()
      const credentials = { username, ...proof, remote_addr: '10.9.0.1', login_type: 'T' }
      expect(await gateway.post('authentication/tokens/', credentials)).toMatchObject(asked)
      const half = gateway.cookies.get(cookies.pendingSignIn) ?? ''
      const thief = stranger()
      thief.cookies.set(cookies.pendingSignIn, half)
      const code = person.app.code()
      const stolen = await thief.post('authentication/mfa/challenge/', { code, type: 'otp' })
      expect(stolen).toMatchObject({ status: 400, body: { error: 'session_empty' } })
      const challenge = { code, type: 'otp', remote_addr: '10.9.0.1', login_type: 'T' }
      expect((await gateway.post('authentication/mfa/challenge/', challenge)).body).toEqual({ msg: 'ok' })
      expect(await gateway.post('authentication/tokens/', credentials)).toMatchObject({
        status: 201,
        body: { user: { username }, signed_in_ms: expect.any(Number) },
      })
    }
    const { rows } = await system.database.pool.query(
      'select ip, status from login_logs where username = $1 and ip = $2',
      [username, '10.9.0.1'],
    )
    expect(rows).toHaveLength(2)
  })
})

describe('setting it up', () => {
  test('on the way in, by whoever must have one and has none', async () => {
    const person = await addPerson(system, admin, { mfa_level: 2 })
    const client = stranger()
    expect((await client.signIn(person.username, person.password)).body).toMatchObject({ error: 'mfa_unset' })
    expect((await client.post('authentication/mfa/otp/bind/', { code: '000000' })).status).toBe(400)
    const started = await client.post('authentication/mfa/otp/start/')
    const app = appOf(String(started.body['secret']))
    expect(started.body['uri']).toContain(`otpauth://totp/Sallyport:${person.username}?secret=${app.secret}`)
    expect(await client.post('authentication/mfa/otp/bind/', { code: '000000' })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/clock/) },
    })
    const bound = await client.post('authentication/mfa/otp/bind/', { code: app.code() })
    expect(bound.body['recovery_codes']).toHaveLength(10)
    expect((await client.get('users/profile/')).status).toBe(401)
    const done = await client.get('/core/auth/login/guard/?next=/ui/workbench/home')
    expect(done).toMatchObject({ status: 302, headers: { location: '/ui/workbench/home' } })
    expect((await client.get('users/profile/')).status).toBe(200)
    // The code it was set up with is used up.
    const again = stranger()
    await again.signIn(person.username, person.password)
    expect((await answerCode(again, codeOf(app.secret, stepAt(Date.now()) - 2))).status).toBe(400)
    const books = await system.database.pool.query(
      'select "user", diff from operate_logs where resource_id = $1 and user_id = $1::uuid',
      [person.id],
    )
    expect(books.rows).toEqual([
      { user: `${person.username}(${person.username})`, diff: { mfa: ['', 'bound'] } },
    ])
  })

  test('needs who is signed in to say again who they are, and the code to take it away', async () => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    expect(await client.post('authentication/mfa/otp/start/')).toMatchObject({
      status: 400,
      body: { code: 'password' },
    })
    await confirmPassword(client, person)
    const { app } = await bind(client)
    expect((await client.post('authentication/mfa/otp/start/')).body).toMatchObject({
      code: 'mfa_already_bound',
    })
    expect((await client.post('authentication/mfa/otp/disable/', { code: '000000' })).status).toBe(400)
    expect((await client.post('authentication/mfa/otp/disable/', { code: app.code() })).status).toBe(204)
    expect((await client.get('authentication/mfa/otp/')).body).toMatchObject({
      is_bound: false,
      recovery_codes_left: 0,
    })
  })

  test('is undone by an administrator, who does not see it; the person sets it up anew', async () => {
    const person = await addProtected({ mfa_level: 0 })
    // A link on another site sends the cookies of whoever follows it, and nothing else.
    const followed = await admin.get(`users/users/${person.id}/mfa/reset/`, {
      headers: { 'x-csrftoken': '' },
    })
    expect(followed.status).toBe(403)
    expect(await admin.get(`users/users/${person.id}/mfa/reset/`)).toMatchObject({
      status: 200,
      body: { msg: 'success' },
    })
    expect((await person.begin()).answer.body).toMatchObject({ error: 'mfa_unset' })
    const left = await system.database.pool.query('select 1 from recovery_codes where user_id = $1', [
      person.id,
    ])
    expect(left.rows).toEqual([])
    const { rows } = await system.database.pool.query(
      'select otp_secret from users where otp_secret is not null',
    )
    for (const { otp_secret: sealed } of rows as { otp_secret: string }[])
      expect(sealed).not.toMatch(/^[A-Z2-7]{32}$/)
  })
})

describe('who needs one', () => {
  test('the platform can ask everybody, or administrators alone', async () => {
    const { rows } = await system.database.pool.query<{ id: string }>(
      `insert into roles (name, scope, permissions, created_by, updated_by)
        values ('Helpers', 'org', '["rbac.view_console"]', 'test', 'test') returning id`,
    )
    const [person, chief, helper] = [
      await addPerson(system, admin),
      await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] }),
      await addPerson(system, admin, { org_roles: [rows[0]?.id] }),
    ]
    const begun = async ({ username, password }: TestPerson) =>
      (await stranger().signIn(username, password)).body['error']
    await settings.store(system.database.db, { SECURITY_MFA_AUTH: 2 })
    // Whoever may enter the console is one, by whatever role.
    const asked = [await begun(person), await begun(chief), await begun(helper)]
    expect(asked).toEqual([undefined, 'mfa_unset', 'mfa_unset'])
    await settings.store(system.database.db, { SECURITY_MFA_AUTH: 1 })
    expect([await begun(person), await begun(chief)]).toEqual(['mfa_unset', 'mfa_unset'])
    await settings.store(system.database.db, { SECURITY_MFA_AUTH: 0 })
  })

  test('nobody lowers their own with a browser alone, nor what somebody else has forced', async () => {
    const person = await addProtected()
    const { client } = await person.begin()
    await answerCode(client, person.app.code())
    const lower = () => client.patch('users/profile/', { mfa_level: 0 })
    expect(await lower()).toMatchObject({ status: 400, body: { code: 'mfa' } })
    const answer = { confirm_type: 'mfa', mfa_type: 'otp', secret_key: person.app.code() }
    expect(await client.post('authentication/confirm/', answer)).toMatchObject({ status: 200, body: 'ok' })
    expect((await lower()).status).toBe(200)
    await system.database.pool.query('update users set mfa_level = 2 where id = $1', [person.id])
    expect((await lower()).body).toMatchObject({ mfa_level: { value: 2 } })
  })

  test('nobody makes a second factor required of themselves; who is made to use one saves the form as it was', async () => {
    const person = await addPerson(system, admin)
    const client = await person.signedIn()
    const { body: told } = await client.options('users/profile/')
    for (const method of ['GET', 'PUT', 'PATCH'] as const)
      expect(told['actions']?.[method]?.['mfa_level'], method).toMatchObject({
        choices: (method === 'GET' ? [0, 1, 2] : [0, 1]).map((value) => ({ value })),
      })
    expect(await client.patch('users/profile/', { mfa_level: 2 })).toMatchObject({
      status: 400,
      body: { mfa_level: ['Only another administrator can make a second factor required of you.'] },
    })
    expect((await client.get('users/profile/')).body).toMatchObject({ mfa_level: { value: 0 } })
    await system.database.pool.query('update users set mfa_level = 2 where id = $1', [person.id])
    expect(await client.patch('users/profile/', { mfa_level: 2, wechat: 'kept' })).toMatchObject({
      status: 200,
      body: { mfa_level: { value: 2 }, wechat: 'kept' },
    })
  })

  test('an administrator’s own row goes by the same rule as the profile', async () => {
    const chief = await addProtected({ org_roles: [roleIds.orgAdmin] })
    const { client } = await chief.begin()
    await answerCode(client, chief.app.code())
    const path = `users/users/${chief.id}/`
    const lower = () => client.patch(path, { mfa_level: 0 })
    expect(await lower()).toMatchObject({ status: 400, body: { code: 'mfa' } })
    await system.database.pool.query('update users set mfa_level = 2 where id = $1', [chief.id])
    const answer = { confirm_type: 'mfa', mfa_type: 'otp', secret_key: chief.app.code() }
    expect((await client.post('authentication/confirm/', answer)).status).toBe(200)
    expect((await lower()).body).toMatchObject({ mfa_level: { value: 2 } })
    await client.patch('users/users/', [{ id: chief.id, mfa_level: 0 }])
    expect((await client.get(path)).body).toMatchObject({ mfa_level: { value: 2 } })
    await system.database.pool.query('update users set mfa_level = 1 where id = $1', [chief.id])
    expect(await client.patch(path, { mfa_level: 2 })).toMatchObject({
      status: 400,
      body: { mfa_level: [expect.stringContaining('required of you')] },
    })
    expect((await lower()).body).toMatchObject({ mfa_level: { value: 0 } })
  })
})

test('whose only second factor is a passkey confirms with the password', async () => {
  const person = await addPerson(system, admin)
  const client = await person.signedIn()
  await system.database.pool.query(
    `insert into passkeys (user_id, name, credential_id, public_key) values ($1, 'phone', 'phone-1', 'key')`,
    [person.id],
  )
  await system.database.pool.query('update users set mfa_level = 1 where id = $1', [person.id])
  expect((await client.get('authentication/confirm/')).body).toMatchObject({ confirm_type: 'password' })
  expect((await confirmPassword(client, person)).status).toBe(200)
  expect((await client.post('authentication/access-keys/')).status).toBe(201)
})

test('who has a second factor confirms sensitive actions with it, and a password is not enough', async () => {
  const person = await addProtected({ org_roles: [roleIds.orgAdmin] })
  const { client } = await person.begin()
  await answerCode(client, person.app.code())
  expect((await client.get('authentication/confirm/?confirm_type=mfa')).body).toEqual({
    confirm_type: 'mfa',
    content: [{ name: 'otp', disabled: false, display_name: 'OTP', placeholder: 'OTP verification code' }],
  })
  const secrets = () => client.get('accounts/account-secrets/')
  expect((await secrets()).body).toMatchObject({ code: 'mfa' })
  // Nor is it for what people without one confirm with the password: these are ways in that last.
  const lasting = () => client.post('authentication/access-keys/')
  expect((await client.get('authentication/confirm/?confirm_type=password')).body).toMatchObject({
    confirm_type: 'mfa',
    content: [{ name: 'otp' }],
  })
  expect(await confirmPassword(client, person)).toMatchObject({
    status: 400,
    body: { error: 'MFA required' },
  })
  for (const refused of [
    await secrets(),
    await lasting(),
    await client.post('authentication/passkeys/register/start/'),
    await client.patch(`users/users/${person.id}/`, { email: 'elsewhere@example.com' }),
  ])
    expect(refused).toMatchObject({ status: 400, body: { code: 'mfa' } })
  const code = person.app.code()
  const answer = { confirm_type: 'mfa', mfa_type: 'otp', secret_key: code }
  expect((await client.post('authentication/confirm/', answer)).status).toBe(200)
  expect((await secrets()).status).toBe(200)
  expect((await lasting()).status).toBe(201)
  expect(await client.post('authentication/confirm/', answer)).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/used already/) },
  })
  const renewed = await client.post('authentication/mfa/otp/recovery-codes/')
  expect(renewed.body['recovery_codes']).toHaveLength(10)
  const [old = ''] = person.recoveryCodes
  const next = await person.begin()
  expect((await answerCode(next.client, old)).status).toBe(400)
})
