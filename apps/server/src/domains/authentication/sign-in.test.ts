import { createHmac } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { cookies, defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { adminPassword, startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let addresses = 0
/** Failures count per address, so every test comes from its own. */
const stranger = () => system.client({ address: `10.1.0.${++addresses}` })

const passwordOf = (username: string) => `Pass-of-${username}-1`
async function addPerson(username: string, fields: Record<string, unknown> = {}): Promise<string> {
  const made = await admin.post('users/users/', {
    name: username,
    username,
    email: `${username}@example.com`,
    password_strategy: 'custom',
    password: passwordOf(username),
    ...fields,
  })
  expect(made).toMatchObject({ status: 201 })
  return String(made.body['id'])
}

beforeAll(async () => {
  admin = await system.admin()
})

describe('the sign-in page', () => {
  test('lets the first administrator in and says where to go', async () => {
    const client = stranger()
    const answer = await client.signIn('admin', adminPassword)
    expect(answer).toMatchObject({ status: 200, body: { next: '/' } })
    expect((await client.get('users/profile/')).body).toMatchObject({ username: 'admin', is_valid: true })
    expect((await client.get('orgs/orgs/current/')).body).toMatchObject({ id: defaultOrgId, name: 'Default' })
  })

  test.each([
    ['/ui/console/users', '/ui/console/users'],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/ui/..//evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/core/auth/logout/', '/'],
  ])('leads on to %s only inside this site', async (next, expected) => {
    const client = stranger()
    await client.get('/core/auth/login/')
    const answer = await client.post(`/core/auth/login/?next=${encodeURIComponent(next)}`, {
      username: 'admin',
      password: adminPassword,
    })
    expect(answer.body).toEqual({ next: expected })
  })

  test('gives the browser a session it cannot read, a form token it can, and a new one of each', async () => {
    const client = stranger()
    await client.get('/core/auth/login/')
    const before = client.cookies.get(cookies.csrf)
    const answer = await client.post('/core/auth/login/', { username: 'admin', password: adminPassword })
    const set = [answer.headers['set-cookie']].flat().map(String)
    expect(set.find((cookie) => cookie.startsWith(cookies.session))).toMatch(/HttpOnly.*SameSite=Lax/)
    expect(set.find((cookie) => cookie.startsWith(cookies.session))).not.toMatch(/Max-Age/)
    expect(set.find((cookie) => cookie.startsWith(cookies.sessionExpire))).toMatch(/=close; Max-Age=86400/)
    expect(client.cookies.get(cookies.csrf)).not.toBe(before)
    const stored = await system.database.pool.query('select token_hash from web_sessions')
    expect(stored.rows.map((row: { token_hash: string }) => row.token_hash)).not.toContain(
      client.cookies.get(cookies.session),
    )
  })

  test('stays signed in past the browser when asked to', async () => {
    const client = stranger()
    await client.get('/core/auth/login/')
    const answer = await client.post('/core/auth/login/', {
      username: 'admin',
      password: adminPassword,
      auto_login: true,
    })
    const set = [answer.headers['set-cookie']].flat().join('\n')
    expect(set).toMatch(/jms_sessionid=[^;]+; Max-Age=86400/)
    expect(set).toMatch(/jms_session_expire=age/)
  })

  test('a session of before signing in is worth nothing afterwards', async () => {
    const client = stranger()
    await client.signIn('admin', adminPassword)
    const old = client.cookies.get(cookies.session) ?? ''
    expect((await client.signIn('admin', adminPassword)).status).toBe(200)
    expect(client.cookies.get(cookies.session)).not.toBe(old)
    client.cookies.set(cookies.session, old)
    expect((await client.get('users/profile/')).status).toBe(401)
  })

  test('refuses a form from another site, and one without its token', async () => {
    const client = stranger()
    await client.get('/core/auth/login/')
    const body = { username: 'admin', password: adminPassword }
    const foreign = await client.post('/core/auth/login/', body, {
      headers: { origin: 'https://evil.example' },
    })
    expect(foreign).toMatchObject({ status: 403, body: { code: 'origin_refused' } })
    const bare = await client.post('/core/auth/login/', body, { headers: { 'x-csrftoken': 'guess' } })
    expect(bare).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining('CSRF') },
    })
  })

  test('says the same of a wrong password and of a name nobody has', async () => {
    await addPerson('same')
    const wrong = await stranger().signIn('same', 'wrong')
    const unknown = await stranger().signIn('nobody-has-this-name', 'wrong')
    expect(wrong).toMatchObject({ status: 400, body: { error: 'password_failed' } })
    expect(wrong.body['msg']).toContain('Tries left: 6')
    expect(unknown.status).toBe(400)
    expect(unknown.body).toEqual(wrong.body)
  })

  test('speaks the language of the person', async () => {
    const client = stranger()
    await client.get('/core/auth/login/')
    const body = { username: 'x', password: 'y' }
    const answer = await client.post('/core/auth/login/', body, { language: 'ja' })
    expect(String(answer.body['msg'])).toContain('パスワード')
  })

  test('blocks an account after seven failures, everywhere, until an administrator unblocks it', async () => {
    const id = await addPerson('blocked')
    const guesser = stranger()
    for (let failures = 1; failures < 7; failures += 1) await guesser.signIn('blocked', 'wrong')
    expect((await guesser.signIn('blocked', 'wrong')).body).toMatchObject({ error: 'block_login' })
    const right = await stranger().signIn('blocked', passwordOf('blocked'))
    expect(right).toMatchObject({ status: 400, body: { error: 'block_login' } })
    expect((await admin.get(`users/users/${id}/`)).body).toMatchObject({ login_blocked: true })
    expect((await admin.patch(`users/users/${id}/unblock/`, {})).body).toMatchObject({ login_blocked: false })
    expect((await stranger().signIn('blocked', passwordOf('blocked'))).status).toBe(200)
  })

  test('counts guesses from all addresses of one IPv6 network as one guesser’s', async () => {
    await addPerson('guessed')
    const guess = async (address: string) =>
      (await system.client({ address }).signIn('guessed', 'wrong')).body['error']
    for (let failures = 1; failures < 7; failures += 1)
      expect(await guess(`2001:db8:7:1::${failures}`)).toBe('password_failed')
    expect(await guess('2001:db8:7:2::1')).toBe('password_failed')
    expect(await guess('2001:db8:7:1:ffff::1')).toBe('block_login')
  })

  test('keeps an administrator blocked who would unblock themselves between guesses', async () => {
    const { id } = (await admin.get('users/profile/')).body
    expect(await admin.patch(`users/users/${String(id)}/unblock/`, {})).toMatchObject({
      status: 400,
      body: {
        error: 'You cannot unblock yourself. Ask another administrator, or wait until the block ends.',
      },
    })
  })

  test('tells somebody whose account is off or over, but only with the right password', async () => {
    await addPerson('gone', { is_active: false })
    await addPerson('past', { date_expired: '2020/01/01 00:00:00 +0000' })
    expect((await stranger().signIn('gone', passwordOf('gone'))).body).toMatchObject({
      error: 'user_inactive',
    })
    expect((await stranger().signIn('past', passwordOf('past'))).body).toMatchObject({
      error: 'user_expired',
    })
    expect((await stranger().signIn('gone', 'wrong')).body).toMatchObject({ error: 'password_failed' })
  })

  test('a password that must be changed opens the door only with a new one that follows the rules', async () => {
    await addPerson('fresh', { need_update_password: true })
    const client = stranger()
    expect((await client.signIn('fresh', passwordOf('fresh'))).body).toMatchObject({
      error: 'need_update_password',
      password_rules: { min_length: 6, upper_case: false },
    })
    expect((await client.signIn('fresh', 'wrong')).body).not.toHaveProperty('password_rules')
    const change = (new_password: string) =>
      client.post('/core/auth/login/', { username: 'fresh', password: passwordOf('fresh'), new_password })
    expect((await change('abc')).body).toMatchObject({ error: 'password_rules' })
    expect((await change('x'.repeat(129))).body).toMatchObject({ error: 'max_length' })
    expect((await change(passwordOf('fresh'))).body).toMatchObject({ error: 'password_used_before' })
    expect((await change('another-one-9')).status).toBe(200)
    expect((await stranger().signIn('fresh', 'another-one-9')).status).toBe(200)
  })

  test('every attempt is in the login log, with its reason', async () => {
    await stranger().signIn('logged-name', 'wrong')
    const logs = await admin.get('audits/login-logs/?username=logged-name', { org: rootOrgId })
    expect(logs.body).toMatchObject([
      { status: { value: false }, type: { value: 'W' }, reason: 'user_not_exist', backend: 'Password' },
    ])
  })
})

describe('a web session', () => {
  test('writes only with its form token', async () => {
    const client = stranger()
    await client.signIn('admin', adminPassword)
    const bare = await client.patch('users/profile/', { comment: 'x' }, { headers: { 'x-csrftoken': '' } })
    expect(bare).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining('CSRF') },
    })
    const other = stranger()
    await other.signIn('admin', adminPassword)
    const stolen = other.cookies.get(cookies.csrf) ?? ''
    const foreign = await client.patch('users/profile/', {}, { headers: { 'x-csrftoken': stolen } })
    expect(foreign.status).toBe(403)
    expect((await client.patch('users/profile/', { comment: 'mine' })).status).toBe(200)
  })

  test('ends at sign-out, which leads only inside this site', async () => {
    const client = stranger()
    await client.signIn('admin', adminPassword)
    const token = client.cookies.get(cookies.session) ?? ''
    const out = await client.get('/core/auth/logout/?next=//evil.example')
    expect(out).toMatchObject({ status: 302, headers: { location: '/core/auth/login/' } })
    client.cookies.set(cookies.session, token)
    expect((await client.get('users/profile/')).status).toBe(401)
  })

  test('ends at the address of older consoles, too', async () => {
    const client = stranger()
    await client.signIn('admin', adminPassword)
    const token = client.cookies.get(cookies.session) ?? ''
    expect((await client.post('/vue-admin-template/user/logout', {})).status).toBe(302)
    client.cookies.set(cookies.session, token)
    expect((await client.get('users/profile/')).status).toBe(401)
  })

  test('is not ended by a link on another site', async () => {
    const client = stranger()
    await client.signIn('admin', adminPassword)
    // A neighbour below the same domain is another site, too.
    for (const from of ['cross-site', 'same-site'])
      await client.get('/core/auth/logout/', { headers: { 'sec-fetch-site': from } })
    expect((await client.get('users/profile/')).status).toBe(200)
  })

  test('ends at once when the person is disabled', async () => {
    const id = await addPerson('fired')
    const client = stranger()
    await client.signIn('fired', passwordOf('fired'))
    expect((await client.get('users/profile/')).status).toBe(200)
    await admin.patch(`users/users/${id}/`, { is_active: false })
    expect((await client.get('users/profile/')).status).toBe(401)
  })

  test('ends after a day without use, and is renewed by use', async () => {
    await addPerson('idle')
    const client = stranger()
    await client.signIn('idle', passwordOf('idle'))
    const rows = `where user_id = (select id from users where username = 'idle')`
    await system.database.pool.query(
      `update web_sessions set date_expired = now() + interval '1 hour' ${rows}`,
    )
    expect((await client.get('users/profile/')).status).toBe(200)
    const renewed = await system.database.pool.query<{ hours: string }>(
      `select round(extract(epoch from date_expired - now()) / 3600) as hours from web_sessions ${rows}`,
    )
    expect(Number(renewed.rows[0]?.hours)).toBe(24)
    await system.database.pool.query(
      `update web_sessions set date_expired = now() - interval '1 second' ${rows}`,
    )
    await admin.patch(`users/users/${await idOf('idle')}/`, {
      comment: 'anything that drops what was remembered',
    })
    expect((await client.get('users/profile/')).status).toBe(401)
  })

  test('others of the person end when the password changes; the one it was changed in stays', async () => {
    await addPerson('changer')
    const [here, there] = [stranger(), stranger()]
    await here.signIn('changer', passwordOf('changer'))
    await there.signIn('changer', passwordOf('changer'))
    const next = 'completely-different-7'
    const change = { old_password: passwordOf('changer'), new_password: next, new_password_again: next }
    expect((await here.put('users/profile/password/', change)).status).toBe(200)
    expect((await here.get('users/profile/')).status).toBe(200)
    expect((await there.get('users/profile/')).status).toBe(401)
  })
})
const idOf = async (username: string) =>
  String((await admin.get(`users/users/?username=${username}`)).body[0]?.['id'])

test('what nobody has signed in for holds no more values than a form may', async () => {
  const tooMany = { status: 413, body: { code: 'too_many_values' } }
  const names = Array.from({ length: 2000 }, (_, at) => `n${at}`)
  const json = Object.fromEntries(names.map((name) => [name, 0]))
  expect(await stranger().post('authentication/auth/', json)).toMatchObject(tooMany)
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const form = `${names.join('=&')}=`
  expect(await stranger().post('/core/auth/login/', form, { headers })).toMatchObject(tooMany)
})

describe('programs', () => {
  test('get a token for a password, and are the person with it', async () => {
    await addPerson('program')
    const answer = await stranger().post('authentication/auth/', {
      username: 'program',
      password: passwordOf('program'),
    })
    expect(answer).toMatchObject({ status: 201, body: { keyword: 'Bearer', user: { username: 'program' } } })
    const token = String(answer.body['token'])
    const bearer = system.client({ headers: { authorization: `Bearer ${token}` } })
    expect((await bearer.get('users/profile/')).body).toMatchObject({ username: 'program' })
    // No cookie, so no form token is needed.
    expect((await bearer.patch('users/profile/', { comment: 'by a program' })).status).toBe(200)
    const forged = system.client({ headers: { authorization: `Bearer ${token}x` } })
    expect(await forged.get('users/profile/')).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Bearer' },
      body: { code: 'authentication_failed' },
    })
  })

  test('cannot sign people in with a public key they never proved', async () => {
    const answer = await stranger().post('authentication/tokens/', {
      username: 'admin',
      public_key: 'ssh-rsa AAAA',
    })
    expect(answer.status).toBe(403)
  })

  test('sign with an access key, whose secret is shown once', async () => {
    const keeper = await system.admin()
    await keeper.post('authentication/confirm/', { confirm_type: 'password', secret_key: adminPassword })
    const made = await keeper.post('authentication/access-keys/')
    const key = { id: String(made.body['id']), secret: String(made.body['secret']) }
    expect((await keeper.get('authentication/access-keys/')).body[0]).not.toHaveProperty('secret')
    const signed = (path: string, date = new Date(), secret = key.secret) =>
      signedHeaders(path, key.id, secret, date)
    const client = stranger()
    const path = '/api/v1/users/users/?limit=1'
    expect(await client.get(path, { headers: signed(path) })).toMatchObject({ status: 200 })
    expect((await client.get('/api/v1/users/groups/', { headers: signed(path) })).status).toBe(401)
    expect((await client.get(path, { headers: signed(path, new Date(), 'other') })).status).toBe(401)
    const late = await client.get(path, { headers: signed(path, new Date(Date.now() - 16 * 60_000)) })
    expect(late).toMatchObject({ status: 401, body: { code: 'stale_signature' } })
    await keeper.patch(`authentication/access-keys/${key.id}/`, { is_active: false })
    expect((await client.get(path, { headers: signed(path) })).status).toBe(401)
  })
})

function signedHeaders(path: string, id: string, secret: string, at = new Date(), method = 'get') {
  const date = at.toUTCString()
  const text = `(request-target): ${method} ${path}\naccept: application/json\ndate: ${date}`
  const signature = createHmac('sha256', secret).update(text).digest('base64')
  return {
    accept: 'application/json',
    date,
    authorization: `Signature keyId="${id}",algorithm="hmac-sha256",headers="(request-target) accept date",signature="${signature}"`,
  }
}

describe('components', () => {
  const register = async (name: string, token?: string) => {
    const path = join(system.ground.config.dataDir, 'keys/bootstrap_token')
    const given = token ?? (await readFile(path, 'utf8')).trim()
    return await stranger().post(
      'users/service-account-registrations/',
      { name, comment: 'c' },
      {
        headers: { authorization: `BootstrapToken ${given}` },
      },
    )
  }

  test('register with the token that only this account may read', async () => {
    const file = await stat(join(system.ground.config.dataDir, 'keys/bootstrap_token'))
    expect(file.mode & 0o777).toBe(0o600)
    expect((await register('gateway-1', 'wrong')).status).toBe(401)
    const made = await register('gateway-1')
    const key = { is_active: true, date_created: expect.stringMatching(/^\d{4}\/\d\d\/\d\d .* \+0800$/) }
    expect(made).toMatchObject({ status: 201, body: { name: 'gateway-1', access_key: key } })
    expect(await register('gateway-1')).toMatchObject({
      status: 400,
      body: { name: ['Another one already has this name.'] },
    })
    expect((await admin.get('users/users/?username=gateway-1')).body).toEqual([])
  })

  test('sign people in with a key they have proved, and say where these are', async () => {
    const public_key =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b ann@laptop'
    await addPerson('keyed', { public_key })
    const { body } = await register('gateway-2')
    const key = { id: body['access_key']?.['id'], secret: body['access_key']?.['secret'] }
    const path = '/api/v1/authentication/tokens/'
    const login = (given: string) =>
      stranger().post(
        path,
        { username: 'keyed', public_key: given, remote_addr: '192.0.2.7' },
        {
          headers: {
            ...signedHeaders(path, String(key.id), String(key.secret), new Date(), 'post'),
            'x-jms-login-type': 'T',
          },
        },
      )
    const [type, blob] = public_key.split(' ')
    expect(await login(`${type} ${blob} another comment`)).toMatchObject({
      status: 201,
      body: { user: { username: 'keyed' } },
    })
    // A gateway sends the key alone.
    expect((await login(blob ?? '')).status).toBe(201)
    const logs = await admin.get('audits/login-logs/?username=keyed&limit=1')
    expect(logs.body).toMatchObject({
      results: [{ ip: '192.0.2.7', type: { value: 'T' }, backend: 'SSH Key' }],
    })
    const other = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBAdOy1bX2nYd4n1yFqT1ukkxLCkPT2Vb0P8p6oB9S0x'
    const refused = { status: 400, body: { error: 'public_key_unknown' } }
    // More than wrong passwords that lock an account.
    for (let offered = 0; offered < 10; offered++) expect(await login(other)).toMatchObject(refused)
    expect((await login(blob ?? '')).status).toBe(201)
    const failed = await admin.get('audits/login-logs/?username=keyed&status=false&limit=1')
    expect(failed.body).toMatchObject({ count: 0 })
  })

  // A key on another machine would else be everybody's: whoever holds it names a person and a key that is no secret.
  test('learn who signs in, and nothing that is good for a call as that person', async () => {
    const public_key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBAdOy1bX2nYd4n1yFqT1ukkxLCkPT2Vb0P8p6oB9S0x'
    const keyed = { public_key, system_roles: [roleIds.systemAdmin] }
    await addPerson('owner', keyed)
    const gateway = await system.component('gateway-3')
    const document = (await admin.get('/api/swagger.json')).body
    const calls = Object.entries(document['paths'] ?? {}).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'patch', 'delete'] as const)
        .filter((method) => method in item)
        .map((method) => ({ method, path: path.replaceAll(/\{\w+\}/g, defaultOrgId) })),
    )
    expect(calls.length).toBeGreaterThan(100)
    const isRead = (method: string): method is 'get' | 'delete' => method === 'get' || method === 'delete'
    for (const proof of [{ public_key }, { password: passwordOf('owner') }]) {
      const answer = await gateway.post('authentication/tokens/', { username: 'owner', ...proof })
      expect(answer).toMatchObject({
        status: 201,
        body: { keyword: 'Bearer', token: expect.any(String), user: { username: 'owner' } },
      })
      const nowhere = { username: 'owner', ...proof, remote_addr: '<b>here</b>' }
      expect((await gateway.post('authentication/tokens/', nowhere)).status).toBe(400)
      expect([...gateway.cookies.keys()]).toEqual([])
      const token = String(answer.body['token'])
      const withCookie = system.client({ headers: { cookie: `${cookies.session}=${token}` } })
      expect((await withCookie.get('users/profile/')).status).toBe(401)
      const bearer = system.client({ headers: { authorization: `Bearer ${token}` } })
      const letIn: string[] = []
      for (const { method, path } of calls) {
        const { status } = isRead(method) ? await bearer[method](path) : await bearer[method](path, {})
        if (status !== 401) letIn.push(`${method} ${path} ${status}`)
      }
      expect(letIn).toEqual([])
    }
  })

  test('are no people: no password signs them in', async () => {
    expect((await stranger().signIn('gateway-1', 'anything')).body).toMatchObject({
      error: 'password_failed',
    })
  })
})

describe('confirming who one is', () => {
  test('opens what asked for it, for a while', async () => {
    const asked = await admin.get('accounts/account-secrets/')
    expect(asked).toMatchObject({ status: 400, body: { code: 'mfa' } })
    expect((await admin.get('authentication/confirm/?confirm_type=mfa')).body).toMatchObject({
      confirm_type: 'password',
    })
    const confirm = (secret_key: string) =>
      admin.post('authentication/confirm/', { confirm_type: 'password', secret_key })
    expect(await confirm('wrong')).toMatchObject({
      status: 400,
      body: { error: 'The password is not correct.' },
    })
    expect(await confirm(adminPassword)).toMatchObject({ status: 200, body: 'ok' })
    expect((await admin.get('accounts/account-secrets/')).status).toBe(200)
  })

  const age = (username: string, minutes: number) =>
    system.database.pool.query(
      `update web_sessions set date_created = now() - $1 * interval '1 minute'
       where user_id = (select id from users where username = $2)`,
      [minutes, username],
    )
  const signInAgain = (client: TestClient) =>
    client.post('authentication/confirm/', { confirm_type: 'relogin', secret_key: '' })

  test('by signing in again lasts five minutes, for everybody, and stands in for no password', async () => {
    await addPerson('lately')
    const client = stranger()
    await client.signIn('lately', passwordOf('lately'))
    expect(await signInAgain(client)).toMatchObject({ status: 200, body: 'ok' })
    expect(await client.get('authentication/confirm-oauth/')).toMatchObject({ status: 200, body: 'ok' })
    expect((await client.get('authentication/confirm/?confirm_type=relogin')).body).toMatchObject({
      confirm_type: 'password',
    })
    await age('lately', 6)
    expect(await signInAgain(client)).toMatchObject({
      status: 400,
      body: { error: 'Login over 5 minutes, please log in again' },
    })
    expect(await client.get('authentication/confirm-oauth/')).toMatchObject({
      status: 400,
      body: { code: 'relogin' },
    })

    const fresh = await system.admin()
    expect((await signInAgain(fresh)).status).toBe(200)
    expect((await fresh.get('accounts/account-secrets/')).body).toMatchObject({ code: 'mfa' })
  })

  test('of people whose password is kept elsewhere is signing in again', async () => {
    const id = await addPerson('elsewhere', { system_roles: [roleIds.systemAdmin] })
    const client = stranger()
    await client.signIn('elsewhere', passwordOf('elsewhere'))
    expect((await client.get('accounts/account-secrets/')).body).toMatchObject({ code: 'mfa' })
    await system.database.pool.query(`update users set source = 'saml2' where id = $1`, [id])
    expect((await client.get('authentication/confirm/?confirm_type=mfa')).body).toEqual({
      confirm_type: 'relogin',
      content: '',
    })
    expect((await client.get('accounts/account-secrets/')).status).toBe(200)
    await age('elsewhere', 6)
    expect((await client.get('accounts/account-secrets/')).body).toMatchObject({ code: 'mfa' })
    expect((await signInAgain(client)).status).toBe(400)
  })
})

test('what the API answers is kept by no browser or proxy, least of all tokens and secrets', async () => {
  const signIn = { username: 'admin', password: adminPassword }
  const client = await system.admin()
  await client.post('authentication/confirm/', { confirm_type: 'password', secret_key: adminPassword })
  for (const answer of [
    await stranger().post('authentication/tokens/', signIn),
    await client.get('accounts/account-secrets/'),
    await client.get('users/users/?limit=1'),
    await stranger().get('users/users/'),
  ])
    expect(answer.headers['cache-control']).toBe('no-store')
})
