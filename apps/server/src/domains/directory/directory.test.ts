import { defaultOrgId, rootOrgId, systemOrgId } from '@sallyport/contract'
import { expect, test, vi } from 'vitest'
import { quietPort } from '../../testing-ports.ts'
import { binding, people, settingsOf, startDirectory } from '../../testing-directory.ts'
import { adminPassword, startTestSystem } from '../../testing.ts'
import { addHolder, addPerson, confirm } from '../../testing-people.ts'

const system = await startTestSystem({ work: true })
const admin = await system.admin()
const directory = await startDirectory()
directory.add(
  {
    uid: 'ann',
    password: 'Of-ann-1',
    mail: 'ann@corp.example.com',
    name: 'Ann Arbor',
    groups: ['Ops', 'Night shift'],
  },
  { uid: 'bob', password: 'Of-bob-1', groups: ['Ops'] },
  { uid: 'admin', password: 'Of-admin-1', mail: 'boss@corp.example.com' },
)
const page = 'settings/setting/?category=ldap'
const settings = settingsOf(directory)
const secret = binding.password

const set = async (values: Record<string, unknown>) => {
  await confirm(admin, adminPassword)
  return await admin.patch(page, values)
}
const listed = async (query = '') => {
  await vi.waitFor(async () => expect((await admin.get('settings/ldap/users/')).status).toBe(200), 20_000)
  return await admin.get(`settings/ldap/users/${query}`)
}
const importing = (body: Record<string, unknown>) => admin.post('settings/ldap/users/import/', body)
const userNamed = async (username: string) =>
  (await admin.get(`users/users/?username=${username}`)).body[0] as Record<string, unknown> | undefined

test('the directory is set on a page of its own, and its password is never told', async () => {
  expect((await admin.get(page)).body).toMatchObject({
    AUTH_LDAP_SERVER_URI: 'ldap://localhost:389',
    AUTH_LDAP_SEARCH_FILTER: '(cn=%(user)s)',
    AUTH_LDAP_USER_ATTR_MAP: { username: 'cn', name: 'sn', email: 'mail' },
    AUTH_LDAP_SYNC_ORG_ID: defaultOrgId,
    AUTH_LDAP_CONNECT_TIMEOUT: 10,
    AUTH_LDAP_SEARCH_PAGED_SIZE: 1000,
    AUTH_LDAP: false,
  })
  expect(await set(settings)).toMatchObject({ status: 200, body: { AUTH_LDAP: true } })
  const shown = await admin.get(page)
  expect(shown.body).not.toHaveProperty('AUTH_LDAP_BIND_PASSWORD')
  // As a form sends it; nothing for the password keeps it.
  const map = JSON.stringify(settings.AUTH_LDAP_USER_ATTR_MAP)
  expect(await set({ AUTH_LDAP_USER_ATTR_MAP: map, AUTH_LDAP_BIND_PASSWORD: null })).toMatchObject({
    status: 200,
    body: { AUTH_LDAP_USER_ATTR_MAP: settings.AUTH_LDAP_USER_ATTR_MAP },
  })
  const stored = await system.database.pool.query<{ value: string; encrypted: boolean }>(
    `select value, encrypted from settings where name = 'AUTH_LDAP_BIND_PASSWORD'`,
  )
  expect(stored.rows).toEqual([{ encrypted: true, value: expect.not.stringContaining(secret) as string }])
  const logs = await admin.get('audits/operate-logs/?limit=100')
  expect(logs.bytes.toString()).not.toContain(secret)
})

test.each([
  ['an address that is none', { AUTH_LDAP_SERVER_URI: 'http://127.0.0.1' }, 'AUTH_LDAP_SERVER_URI'],
  ['an address with more than a host', { AUTH_LDAP_SERVER_URI: 'ldap://a:b@host/x' }, 'AUTH_LDAP_SERVER_URI'],
  ['a filter without the username', { AUTH_LDAP_SEARCH_FILTER: '(uid=ann)' }, 'AUTH_LDAP_SEARCH_FILTER'],
  ['a filter that is none', { AUTH_LDAP_SEARCH_FILTER: '(uid=%(user)s' }, 'AUTH_LDAP_SEARCH_FILTER'],
  [
    'attributes without email',
    { AUTH_LDAP_USER_ATTR_MAP: { username: 'a', name: 'b' } },
    'AUTH_LDAP_USER_ATTR_MAP',
  ],
  ['an organization there is not', { AUTH_LDAP_SYNC_ORG_ID: 'nowhere' }, 'AUTH_LDAP_SYNC_ORG_ID'],
  ['the organization of the system', { AUTH_LDAP_SYNC_ORG_ID: systemOrgId }, 'AUTH_LDAP_SYNC_ORG_ID'],
  [
    'another directory without its password',
    { AUTH_LDAP_SERVER_URI: 'ldap://10.0.0.1' },
    'AUTH_LDAP_BIND_PASSWORD',
  ],
  ['its password to be sent in the clear', { AUTH_LDAP_START_TLS: true }, 'AUTH_LDAP_BIND_PASSWORD'],
])('%s is refused', async (_what, values, field) => {
  const refused = await set(values)
  expect(refused.status).toBe(400)
  expect(Object.keys(refused.body)).toEqual([field])
})

test('who may change how people log in says again who they are, and nobody else comes near it', async () => {
  const clerk = await addHolder(system, admin, 'settings.view_setting', 'settings.change_auth')
  expect(await clerk.patch(page, { AUTH_LDAP: false })).toMatchObject({ status: 400, body: { code: 'mfa' } })
  expect((await clerk.patch(page, { AUTH_LDAP_SEARCH_PAGED_SIZE: 500 })).status).toBe(200)
  const other = await addHolder(system, admin, 'settings.view_setting', 'settings.change_email')
  for (const path of ['setting/?category=ldap', 'ldap/users/', 'ldap/cache/refresh/'])
    expect((await other.get(`settings/${path}`)).status).toBe(403)
  for (const path of ['testing/config', 'testing/login', 'users/import'])
    expect((await other.post(`settings/ldap/${path}/`, {})).status).toBe(403)
})

const tried = (values: Record<string, unknown>) =>
  admin.post('settings/ldap/testing/config/', { ...settings, ...values })

test('trying the directory says how many people it finds', async () => {
  expect(await tried({})).toMatchObject({ status: 200, body: 'Succeed: Match 3 s user' })
  for (const kept of ['', null]) expect((await tried({ AUTH_LDAP_BIND_PASSWORD: kept })).status).toBe(200)
  const map = JSON.stringify(settings.AUTH_LDAP_USER_ATTR_MAP)
  expect((await tried({ AUTH_LDAP_USER_ATTR_MAP: map })).status).toBe(200)
  // The page stores a blank place to search, and servers may have one of their own for it.
  expect(await tried({ AUTH_LDAP_SEARCH_OU: '' })).toMatchObject({
    status: 400,
    body: expect.stringContaining('Error (Invalid User OU or User search filter)') as string,
  })
  for (const name of ['AUTH_LDAP_SERVER_URI', 'AUTH_LDAP_SEARCH_OU', 'AUTH_LDAP_USER_ATTR_MAP'])
    expect(await tried({ [name]: undefined })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining(name) as string },
    })
})

test('whoever asks other things with the stored password says again who they are', async () => {
  const clerk = await addHolder(system, admin, 'settings.view_setting', 'settings.change_auth')
  const tries = (values: Record<string, unknown>) =>
    clerk.post('settings/ldap/testing/config/', { ...settings, AUTH_LDAP_BIND_PASSWORD: '', ...values })
  expect(await tries({})).toMatchObject({ status: 200 })
  for (const values of [
    { AUTH_LDAP_SEARCH_FILTER: '(&(uid=%(user)s)(userPassword=*))' },
    { AUTH_LDAP_SEARCH_OU: 'dc=example,dc=com' },
    { AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'userPassword', email: 'mail' } },
  ]) {
    expect(await tries(values)).toMatchObject({ status: 400, body: { code: 'mfa' } })
    expect(await tries({ ...values, AUTH_LDAP_BIND_PASSWORD: secret })).toMatchObject({ status: 200 })
  }
})

test.each([
  ['no directory', { AUTH_LDAP_SERVER_URI: 'ftp://127.0.0.1' }, 'Error (Invalid LDAP server): '],
  [
    'nobody listens',
    { AUTH_LDAP_SERVER_URI: 'ldap://127.0.0.1:1', AUTH_LDAP_BIND_PASSWORD: 'x' },
    'Error (Invalid LDAP server): ',
  ],
  [
    'a wrong password',
    { AUTH_LDAP_BIND_PASSWORD: 'wrong' },
    'Error (Invalid Bind DN): invalid credentials (49)',
  ],
  [
    'an attribute missing',
    { AUTH_LDAP_USER_ATTR_MAP: { username: 'uid' } },
    'Error (Invalid user attributes)',
  ],
  [
    'a filter that is none',
    { AUTH_LDAP_SEARCH_FILTER: '(((%(user)s' },
    'Error (Invalid User OU or User search filter): ',
  ],
  [
    'a place there is not',
    { AUTH_LDAP_SEARCH_OU: 'ou=nowhere,dc=example,dc=com' },
    'Error (Invalid User OU or User search filter): ',
  ],
  [
    'nobody in one of the places',
    { AUTH_LDAP_SEARCH_OU: `${people}|ou=guests,dc=example,dc=com` },
    'Error (Invalid User OU or User search filter): nobody',
  ],
  ['switched off', { AUTH_LDAP: false }, 'Error (LDAP authentication is not enabled)'],
])('trying the directory tells in words what is wrong: %s', async (_what, values, sentence) => {
  const refused = await tried(values)
  expect(refused).toMatchObject({ status: 400, body: expect.stringContaining(sentence) as string })
  expect(refused.bytes.toString()).not.toContain(secret)
})

test('of an authority nobody named it tells where one is named', async () => {
  const stranger = await startDirectory({ trusted: false })
  const said = async (language: string) => {
    const body = { ...settings, AUTH_LDAP_SERVER_URI: stranger.secureUrl }
    return await admin.post('settings/ldap/testing/config/', body, { language })
  }
  const sentences = {
    en: "the directory's certificate is of an authority this server does not know; name yours in NODE_EXTRA_CA_CERTS (a file) and start the server again",
    zh: '目录的证书由本服务器不认识的机构签发；请在 NODE_EXTRA_CA_CERTS 中指定该机构的证书文件，然后重启服务器',
    ja: 'ディレクトリの証明書の認証局をこのサーバーは知りません。NODE_EXTRA_CA_CERTS に認証局の証明書ファイルを指定し、サーバーを再起動してください',
  }
  for (const [language, sentence] of Object.entries(sentences))
    expect(await said(language)).toMatchObject({
      status: 400,
      body: expect.stringContaining(sentence) as string,
    })
})

test('what trying it answers is a text of JSON, right or wrong', async () => {
  const login = (password: string) =>
    admin.post('settings/ldap/testing/login/', { username: 'ann', password })
  for (const answer of [await tried({}), await tried({ AUTH_LDAP: false }), await login('wrong')]) {
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(answer.bytes.toString())).toBe(answer.body)
  }
})

test('the stored password is tried on the stored directory only', async () => {
  const elsewhere = await startDirectory()
  elsewhere.add({ uid: 'eve', password: 'Of-eve-1' })
  const there = { AUTH_LDAP_SERVER_URI: elsewhere.url, AUTH_LDAP_BIND_PASSWORD: '' }
  expect(await tried(there)).toMatchObject({
    status: 400,
    body: 'Error (Invalid Bind DN): type the password of the Bind DN',
  })
  expect((await tried({ ...there, AUTH_LDAP_BIND_PASSWORD: secret })).status).toBe(200)
})

test('a login is tried as it would be', async () => {
  const login = (username: string, password: string) =>
    admin.post('settings/ldap/testing/login/', { username, password })
  expect(await login('ann', 'Of-ann-1')).toMatchObject({ status: 200, body: 'Authentication success: ann' })
  const wrong = { status: 400, body: 'Authentication failed: the username or password is wrong' }
  expect(await login('ann', 'wrong')).toMatchObject(wrong)
  expect(await login('*', 'Of-ann-1')).toMatchObject(wrong)
  expect(await login('ann', '')).toMatchObject({ status: 400, body: { error: expect.any(String) as string } })
  // As at the door: somebody who is guessed at is blocked.
  for (let n = 0; n < 7; n += 1) await login('bob', 'guess')
  const blocked = { status: 400, body: expect.stringContaining('locked') as string }
  expect(await login('bob', 'Of-bob-1')).toMatchObject(blocked)
  expect((await system.client().signIn('bob', 'Of-bob-1')).body).toMatchObject({ error: 'block_login' })
})

test('the people of the directory are read beside requests, and listed when that is done', async () => {
  const [first, second] = [await admin.get('settings/ldap/users/'), await admin.get('settings/ldap/users/')]
  expect(first).toMatchObject({ status: 409, body: { msg: expect.any(String) as string } })
  expect([200, 409]).toContain(second.status)
  const all = await listed()
  expect(all.body).toEqual([
    {
      id: 'ann',
      username: 'ann',
      name: 'Ann Arbor',
      email: 'ann@corp.example.com',
      groups: ['Ops', 'Night shift'],
      existing: false,
    },
    { id: 'bob', username: 'bob', name: 'bob', email: '', groups: ['Ops'], existing: false },
    {
      id: 'admin',
      username: 'admin',
      name: 'admin',
      email: 'boss@corp.example.com',
      groups: [],
      existing: true,
    },
  ])
  const names = async (query: string) =>
    ((await listed(query)).body as unknown as { username: string }[]).map(({ username }) => username)
  expect(await names('?order=-existing')).toEqual(['admin', 'ann', 'bob'])
  expect(await names('?order=-username')).toEqual(['bob', 'ann', 'admin'])
  expect(await names('?search=ARBOR')).toEqual(['ann'])
  expect(await names(`?order=nothing,-existing,${'groups,'.repeat(5)}-username`)).toEqual([
    'admin',
    'bob',
    'ann',
  ])
  expect(await names('?order=-id')).toEqual(['bob', 'ann', 'admin'])
  expect(await names('?search=ANN,corp')).toEqual(['ann'])
  expect(await names('?search=ann%20bob')).toEqual([])
  expect(await names(`?cache_police=${'1'.repeat(40)}`)).toHaveLength(3)
  expect((await listed('?limit=1&offset=1')).body).toMatchObject({ count: 3, results: [{ username: 'bob' }] })
})

test('what is sent and answered there is told as it is', async () => {
  const told = async (path: string) =>
    (await admin.options(`settings/ldap/${path}/`)).body['actions'] as unknown
  expect(await told('users')).toMatchObject({
    GET: {
      username: { read_only: false, order: true },
      existing: { read_only: true, order: true },
      groups: expect.not.objectContaining({ order: true }) as unknown,
    },
  })
  expect(await told('testing/config')).toMatchObject({
    POST: {
      AUTH_LDAP_SEARCH_OU: { required: true },
      AUTH_LDAP_BIND_DN: { required: false },
    },
  })
})

test('who is new in the directory is seen when it is asked anew, or at once', async () => {
  directory.add({ uid: 'cid', password: 'Of-cid-1' })
  const count = async (query: string) => ((await listed(query)).body as unknown[]).length
  expect(await count('')).toBe(3)
  expect(await count('?cache_police=0')).toBe(4)
  expect(await admin.get('settings/ldap/cache/refresh/')).toMatchObject({
    status: 200,
    body: { msg: 'success' },
  })
  expect((await admin.get('settings/ldap/users/')).status).toBe(409)
  expect(await count('')).toBe(4)
})

test('another server knows what was read, and another directory is read anew', async () => {
  await listed()
  const other = await system.anotherNode()
  const session = Object.fromEntries(admin.cookies)
  const there = await other.inject({ url: '/api/v1/settings/ldap/users/', cookies: session })
  expect(there.statusCode).toBe(200)
  await set({ AUTH_LDAP_SEARCH_FILTER: '(&(uid=%(user)s)(mail=*))' })
  expect((await admin.get('settings/ldap/users/')).status).toBe(409)
  expect((await listed()).body).toHaveLength(2)
  await set({ AUTH_LDAP_SEARCH_FILTER: settings.AUTH_LDAP_SEARCH_FILTER })
})

test('a directory that cannot be read says why, until it is asked anew', async () => {
  await set({ AUTH_LDAP_BIND_PASSWORD: 'wrong', AUTH_LDAP_SEARCH_OU: `${people}|${people}` })
  const failed = { status: 400, body: { error: expect.stringContaining('could not be read') as string } }
  await vi.waitFor(async () => expect(await admin.get('settings/ldap/users/')).toMatchObject(failed), 20_000)
  expect(await admin.get('settings/ldap/users/?cache_police=0')).toMatchObject(failed)
  expect(await importing({ username_list: ['*'] })).toMatchObject(failed)
  // Mended, it is asked anew; and by itself a minute after it failed.
  await set({ AUTH_LDAP_BIND_PASSWORD: secret })
  expect((await admin.get('settings/ldap/users/')).status).toBe(409)
  await listed()
  await set({ AUTH_LDAP_BIND_PASSWORD: 'wrong', AUTH_LDAP_SEARCH_OU: `${people}|${people}|${people}` })
  await vi.waitFor(async () => expect(await admin.get('settings/ldap/users/')).toMatchObject(failed), 20_000)
  await system.database.pool.query(
    `update directory_readings set date_read = now() - interval '61 seconds' where failure is not null`,
  )
  expect((await admin.get('settings/ldap/users/')).status).toBe(409)
  await set({ AUTH_LDAP_BIND_PASSWORD: secret, AUTH_LDAP_SEARCH_OU: people })
})

test('why it could not be read is told in the language of whoever asks', async () => {
  const silent = await quietPort()
  await set({
    AUTH_LDAP_SERVER_URI: `ldap://127.0.0.1:${silent}`,
    AUTH_LDAP_BIND_PASSWORD: secret,
    AUTH_LDAP_START_TLS: true,
    AUTH_LDAP_CONNECT_TIMEOUT: 1,
  })
  const told = async (language: string) => (await admin.get('settings/ldap/users/', { language })).body
  await vi.waitFor(
    async () =>
      expect(await told('zh')).toEqual({
        error: '无法读取目录用户：目录未及时响应',
      }),
    20_000,
  )
  expect(await told('en')).toEqual({
    error: 'The users of the directory could not be read: the directory did not answer in time',
  })
  await set({ ...settings, AUTH_LDAP_START_TLS: false, AUTH_LDAP_CONNECT_TIMEOUT: 10 })
})

test('a reading that died is begun anew when the settings are saved, or after a minute; what was read is read anew after a day', async () => {
  const change = (what: string) => system.database.pool.query(`update directory_readings set ${what}`)
  const dies = 'people = null, failure = null, date_read = now()'
  const ended = 'The users of the directory could not be read: the reading was ended'
  const state = async () => (await admin.get('settings/ldap/users/')).status
  await listed()
  await change(dies)
  expect(await admin.get('settings/ldap/users/')).toMatchObject({ status: 400, body: { error: ended } })
  await set({ AUTH_LDAP_CONNECT_TIMEOUT: 10 })
  expect(await state()).toBe(409)
  await listed()
  await change(`${dies} - interval '61 seconds'`)
  expect(await state()).toBe(409)
  await listed()
  await change(`date_read = now() - interval '25 hours'`)
  expect(await state()).toBe(409)
  await listed()
})

test('people are imported as users of their organization, in the groups the directory has them in', async () => {
  await listed()
  expect(await importing({ username_list: ['ann', 'bob'] })).toMatchObject({
    status: 200,
    body: { msg: 'Imported 2 users successfully (Organization: Default)' },
  })
  expect(await userNamed('ann')).toMatchObject({
    name: 'Ann Arbor',
    email: 'ann@corp.example.com',
    source: { value: 'ldap' },
    system_roles: [{ display_name: 'User' }],
    org_roles: [{ name: 'OrgUser' }],
    groups: expect.arrayContaining([
      expect.objectContaining({ name: 'AD Ops' }),
      expect.objectContaining({ name: 'AD Night shift' }),
    ]) as unknown,
  })
  expect(await userNamed('bob')).toMatchObject({ email: 'bob@example.com', groups: [{ name: 'AD Ops' }] })
  const logs = await admin.get('audits/operate-logs/?limit=100')
  expect(logs.bytes.toString()).toContain('created the user Ann Arbor')
  const again = await importing({ username_list: ['ann', 'bob'], org_id: null })
  expect(again.status).toBe(200)
})

test('nobody is taken over: who comes from elsewhere stays, and everybody else is imported', async () => {
  await addPerson(system, admin, { username: 'cid', email: 'cid-of-here@example.com' })
  const before = await userNamed('admin')
  expect(await importing({ username_list: ['*'] })).toMatchObject({
    status: 400,
    body: {
      errors: expect.arrayContaining([
        { admin: 'exists here already, and comes from elsewhere (Local)' },
        { cid: 'exists here already, and comes from elsewhere (Local)' },
      ]) as unknown,
    },
  })
  expect(await userNamed('admin')).toEqual(before)
  expect(await userNamed('cid')).toMatchObject({
    source: { value: 'local' },
    email: 'cid-of-here@example.com',
  })
  expect((await system.client().signIn('cid', 'Of-cid-1')).status).toBe(400)
})

test('who cannot be a user is told, and keeps nobody else out', async () => {
  directory.add(
    { uid: 'dan', mail: 'ann@corp.example.com', password: 'Of-dan-1' },
    { uid: 'fay', mail: 'fay@corp.example.com', password: 'Of-fay-1' },
  )
  const answer = await admin.post('settings/ldap/users/import/?cache_police=0', {
    username_list: ['dan', 'fay', 'gil'],
  })
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ gil: 'is not in the directory' }, { dan: 'email: This field must be unique.' }] },
  })
  expect(await userNamed('dan')).toBeUndefined()
  expect(await userNamed('fay')).toMatchObject({ source: { value: 'ldap' } })
  for (const org_id of ['nowhere', rootOrgId, systemOrgId])
    expect(await importing({ username_list: ['fay'], org_id })).toMatchObject({
      status: 400,
      body: { error: 'This is not a valid organization.' },
    })
})

test('equal imports at once, and who comes in meanwhile, find what the other has made', async () => {
  const names = Array.from({ length: 12 }, (_none, n) => `at-once-${n}`)
  directory.add(...names.map((uid) => ({ uid, password: 'Of-them-1', groups: ['At once', 'Ops'] })))
  const query = 'settings/ldap/users/import/?cache_police=0'
  const [one, other, signedIn] = await Promise.all([
    admin.post(query, { username_list: names }),
    admin.post(query, { username_list: [...names, 'nobody-there'] }),
    system.client().signIn('at-once-0', 'Of-them-1'),
  ])
  expect(one.status).toBe(200)
  expect(other).toMatchObject({
    status: 400,
    body: { errors: [{ 'nobody-there': expect.any(String) as string }] },
  })
  expect(signedIn).toMatchObject({ status: 200, body: { next: '/' } })
  const group = (await admin.get('users/groups/?name=AD At once')).body
  expect(group).toMatchObject([{ users_amount: names.length }])
})

test('many people in many groups are imported at once', async () => {
  const groups = Array.from({ length: 180 }, (_none, n) => `Many ${n}`)
  const names = Array.from({ length: 190 }, (_none, n) => `many-${n}`)
  directory.add(...names.map((uid) => ({ uid, groups })))
  const query = 'settings/ldap/users/import/?cache_police=0'
  expect((await admin.post(query, { username_list: names })).status).toBe(200)
  const { rows } = await system.database.pool.query(`select count(*)::int as links from user_group_members`)
  expect(rows).toMatchObject([{ links: expect.toSatisfy((links: number) => links >= 190 * 180) as number }])
})

test('what the directory says of somebody is brought up to date, by who may say it of them', async () => {
  const ann = String((await userNamed('ann'))?.['id'])
  const query = 'settings/ldap/users/import/?cache_police=0'
  await admin.patch(`users/users/${ann}/`, { name: 'Somebody' })
  const groups = await admin.get('users/groups/?name=AD Night shift')
  await admin.post('users/groups/', { name: 'AD Gone', users: [ann] })
  await admin.post('users/groups/', { name: 'Own', users: [ann] })
  expect((await admin.post(query, { username_list: ['ann'] })).status).toBe(200)
  const brought = await userNamed('ann')
  expect(brought).toMatchObject({ name: 'Ann Arbor' })
  const names = (brought as { groups?: { name: string }[] }).groups?.map(({ name }) => name) ?? []
  expect(names.toSorted()).toEqual(['AD Night shift', 'AD Ops', 'Own'])
  expect(groups.status).toBe(200)
  // Somebody with more rights than who imports.
  await admin.patch(`users/users/${ann}/`, {
    name: 'Chief',
    system_roles: ['00000000-0000-0000-0000-000000000001'],
  })
  const clerk = await addHolder(system, admin, 'settings.view_setting', 'settings.change_auth')
  expect(await clerk.post(query, { username_list: ['ann'] })).toMatchObject({
    status: 400,
    body: { errors: [{ ann: expect.stringContaining('administrator') as string }] },
  })
  expect(await userNamed('ann')).toMatchObject({ name: 'Chief' })
})

test('what is odd in one of them keeps nobody else out, and is told in a line where it can be', async () => {
  const long = 'g'.repeat(124)
  directory.add(
    { uid: 'odd-name', name: 'Odd\0\u001B[31m\nname\u2028here', groups: ['a\\00b', 'c\\0A\\09d'] },
    { uid: 'odd-group', groups: ['\\20', '\\00', `${long}\\ more`, `${long}\\F0\\9F\\98\\80`] },
    { uid: 'odd\0uid', password: 'Of-odd-1' },
    ...Array.from({ length: 201 }, (_none, n) => ({ uid: `after-odd-${n}`, groups: ['After odd'] })),
  )
  expect((await admin.get('settings/ldap/cache/refresh/')).status).toBe(200)
  const all = (await listed()).body as unknown as Record<string, unknown>[]
  expect(all.filter(({ username }) => String(username).startsWith('odd'))).toMatchObject([
    { username: 'odd-group', groups: [long] },
    { username: 'odd-name', name: 'Odd [31m name here', groups: ['a b', 'c d'] },
  ])
  const names = all.map(({ username }) => String(username)).filter((name) => name.includes('odd'))
  expect(await importing({ username_list: names })).toMatchObject({ status: 200 })
  const groupsOf = async (username: string) =>
    ((await userNamed(username)) as { groups?: { name: string }[] } | undefined)?.groups?.map(
      ({ name }) => name,
    )
  expect(await groupsOf('odd-group')).toEqual([`AD ${long}`])
  expect((await groupsOf('odd-name'))?.toSorted()).toEqual(['AD a b', 'AD c d'])
  expect(await groupsOf('after-odd-200')).toEqual(['AD After odd'])
  expect((await system.client().signIn('odd\0uid', 'Of-odd-1')).status).toBe(400)
})

test('whoever has no mail there gets an address by their username, one that holds in any case', async () => {
  const names = ['John Smith', '李四', 'DOM\\u2', 'user.', 'at@home', 'n'.repeat(126)]
  directory.add(...names.map((uid) => ({ uid, password: 'Of-them-1' })))
  const query = 'settings/ldap/users/import/?cache_police=0'
  expect(await admin.post(query, { username_list: names.slice(1) })).toMatchObject({ status: 200 })
  expect(await system.client().signIn('John Smith', 'Of-them-1')).toMatchObject({ status: 200 })
  const addresses = async () =>
    await Promise.all(
      names.map(async (name) => String((await userNamed(encodeURIComponent(name)))?.['email'])),
    )
  const first = await addresses()
  expect(new Set(first).size).toBe(names.length)
  for (const address of first) expect(address).toMatch(/^[a-z0-9-]{1,64}@example\.com$/)
  expect(await admin.post(query, { username_list: names })).toMatchObject({ status: 200 })
  expect(await addresses()).toEqual(first)
})
