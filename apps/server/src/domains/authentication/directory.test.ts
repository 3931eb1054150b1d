import { once } from 'node:events'
import net from 'node:net'
import { Client } from 'ldapts'
import { expect, test } from 'vitest'
import { people, settingsOf, startDirectory } from '../../testing-directory.ts'
import { adminPassword, startTestSystem } from '../../testing.ts'
import { deafPort, quietPort } from '../../testing-ports.ts'
import { addPerson, confirm, password as ofHere } from '../../testing-people.ts'

const system = await startTestSystem()
const admin = await system.admin()
const directory = await startDirectory()
const settings = settingsOf(directory)
const page = 'settings/setting/?category=ldap'

const set = async (values: Record<string, unknown>) => {
  await confirm(admin, adminPassword)
  const answer = await admin.patch(page, values)
  expect(answer).toMatchObject({ status: 200 })
}
await set(settings)
const imported = async (...names: string[]) => {
  directory.add(...names.map((uid) => ({ uid, password: `Of-${uid}-1`, mail: `${uid}@corp.example.com` })))
  const query = 'settings/ldap/users/import/?cache_police=0'
  expect((await admin.post(query, { username_list: names })).status).toBe(200)
}
const signIn = (username: string, password: string) => system.client().signIn(username, password)
const isIn = { status: 200, body: { next: '/' } }
const isWrong = { status: 400, body: { error: 'password_failed' } }
const isUnanswered = {
  status: 400,
  body: {
    error: 'directory_unavailable',
    msg: 'The directory that checks your password does not answer. Try again later.',
  },
}
const idOf = async (username: string) =>
  String((await admin.get(`users/users/?username=${username}`)).body[0]?.['id'])
const logOf = async (username: string) => (await admin.get(`audits/login-logs/?username=${username}`)).body[0]

test('somebody of the directory comes in with the password there, at every door, and with no other', async () => {
  await imported('ann')
  expect(await signIn('ann', 'Of-ann-1')).toMatchObject(isIn)
  expect(await logOf('ann')).toMatchObject({ status: { value: true }, backend: 'LDAP/AD' })
  const given = { username: 'ann', password: 'Of-ann-1' }
  expect((await system.client().post('authentication/auth/', given)).status).toBe(201)
  const gateway = await system.component('gateway')
  const bySsh = { ...given, remote_addr: '10.1.1.1' }
  expect((await gateway.post('authentication/auth/', bySsh)).status).toBe(201)
  expect(await signIn('ann', 'wrong')).toMatchObject(isWrong)
  expect(await gateway.post('authentication/auth/', { ...bySsh, password: 'wrong' })).toMatchObject(isWrong)
  expect(await logOf('ann')).toMatchObject({ status: { value: false }, reason: 'password_failed' })
})

test('they confirm with the password there, too', async () => {
  await imported('bea')
  const bea = system.client()
  await bea.signIn('bea', 'Of-bea-1')
  expect((await bea.get('authentication/confirm/?confirm_type=password')).body).toMatchObject({
    confirm_type: 'password',
  })
  const said = (secret_key: string) =>
    bea.post('authentication/confirm/', { confirm_type: 'password', secret_key })
  expect(await said('wrong')).toMatchObject({ status: 400, body: { error: 'The password is not correct.' } })
  expect((await said('')).status).toBe(400)
  // However lately they signed in, as long as there is a directory to ask.
  const public_key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b laptop'
  const keeping = () => bea.put('users/profile/public-key/', { public_key })
  expect(await keeping()).toMatchObject({ status: 400, body: { code: 'password' } })
  await set({ AUTH_LDAP: false })
  expect((await bea.get('authentication/confirm/')).body).toMatchObject({ confirm_type: 'relogin' })
  expect(await keeping()).toMatchObject({ status: 200 })
  await set({ AUTH_LDAP: true })
  expect(await keeping()).toMatchObject({ status: 400, body: { code: 'password' } })
  expect(await said('Of-bea-1')).toMatchObject({ status: 200 })
  expect(await keeping()).toMatchObject({ status: 200 })
})

test('an empty password opens nothing, although the directory says yes to it', async () => {
  await imported('cat')
  const client = new Client({ url: directory.url })
  await client.bind(`uid=cat,${people}`, '')
  await client.unbind()
  for (const password of ['', '\0']) expect(await signIn('cat', password)).toMatchObject({ status: 400 })
  for (const username of ['cat', 'nobody-yet', ''])
    for (const password of ['', null])
      expect(await system.client().post('authentication/auth/', { username, password })).toMatchObject({
        status: 400,
      })
})

test.each(['*', 'd*', '*)(uid=*', 'dan)(|(uid=*', 'dan\\2a', ')(', '\\', 'uid=dan', 'DAN', 'dan  '])(
  'a username that means something in a filter means only itself: %s',
  async (username) => {
    if ((await admin.get('users/users/?username=dan')).body.length === 0) await imported('dan')
    const given = { username, password: 'Of-dan-1' }
    const answer = await system.client().post('authentication/auth/', given)
    // Spaces around a name are nobody's.
    expect(answer.status).toBe(username.trim() === 'dan' ? 201 : 400)
  },
)

test('a name with brackets and stars is found as it stands', async () => {
  directory.add(
    { uid: 'e*(v)', password: 'Of-eve-1', mail: 'eve@corp.example.com' },
    { uid: 'e-v', password: 'Of-eve-1' },
  )
  expect(await signIn('e*(v)', 'Of-eve-1')).toMatchObject(isIn)
})

test('where two entries are found nobody comes in', async () => {
  directory.add({ uid: 'fay', password: 'Of-fay-1' })
  directory.add({ uid: 'fay', password: 'Of-fay-2', ou: 'guests' })
  await set({ AUTH_LDAP_SEARCH_OU: `${people} | ou=guests,dc=example,dc=com` })
  for (const password of ['Of-fay-1', 'Of-fay-2'])
    expect(await signIn('fay', password)).toMatchObject(isWrong)
  await set({ AUTH_LDAP_SEARCH_OU: people })
  expect(await signIn('fay', 'Of-fay-1')).toMatchObject(isIn)
})

test('people of here are not asked for there, and the other way round', async () => {
  directory.add({ uid: 'gil', password: 'Of-gil-1' })
  const gil = await addPerson(system, admin, { username: 'gil' })
  expect(await signIn('gil', 'Of-gil-1')).toMatchObject(isWrong)
  expect(await signIn('gil', ofHere)).toMatchObject(isIn)
  await confirm(admin, adminPassword)
  expect((await admin.patch(`users/users/${gil.id}/`, { source: 'ldap' })).status).toBe(200)
  expect(await signIn('gil', ofHere)).toMatchObject(isWrong)
  expect(await signIn('gil', 'Of-gil-1')).toMatchObject(isIn)
})

test('somebody new comes in as a user of the organization that is set, unless that is switched off', async () => {
  directory.add(
    { uid: 'hal', password: 'Of-hal-1', name: 'Hal', groups: ['Ops'] },
    { uid: 'ida', password: 'Of-ida-1' },
  )
  await set({ AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: true })
  expect(await signIn('hal', 'Of-hal-1')).toMatchObject(isWrong)
  await set({ AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: false })
  const security = 'settings/setting/?category=security'
  await admin.patch(security, { ONLY_ALLOW_EXIST_USER_AUTH: true })
  expect(await signIn('hal', 'Of-hal-1')).toMatchObject(isWrong)
  await admin.patch(security, { ONLY_ALLOW_EXIST_USER_AUTH: false })
  expect(await signIn('hal', 'wrong')).toMatchObject(isWrong)
  // Nor by another spelling, which the directory takes for the same.
  expect(await signIn('HAL', 'Of-hal-1')).toMatchObject(isWrong)
  expect((await admin.get('users/users/?username=hal')).body).toEqual([])
  expect(await signIn('hal', 'Of-hal-1')).toMatchObject(isIn)
  expect((await admin.get('users/users/?username=hal')).body[0]).toMatchObject({
    name: 'Hal',
    source: { value: 'ldap' },
    system_roles: [{ display_name: 'User' }],
    org_roles: [{ name: 'OrgUser' }],
    groups: [{ name: 'AD Ops' }],
  })
  const gateway = await system.component('second gateway')
  const bySsh = { username: 'ida', password: 'Of-ida-1', remote_addr: '10.1.1.1' }
  expect((await gateway.post('authentication/auth/', bySsh)).status).toBe(201)
})

test('whoever comes in for the first time is recorded as a user the system created, at every door', async () => {
  directory.add(
    ...['una', 'vic', 'wes'].map((uid) => ({
      uid,
      password: `Of-${uid}-1`,
      name: uid.toUpperCase(),
      groups: [uid],
    })),
  )
  const given = (username: string) => ({ username, password: `Of-${username}-1` })
  expect(await signIn('una', 'Of-una-1')).toMatchObject(isIn)
  expect((await system.client().post('authentication/auth/', given('vic'))).status).toBe(201)
  const gateway = await system.component('third gateway')
  const bySsh = { ...given('wes'), remote_addr: '10.1.1.1' }
  expect((await gateway.post('authentication/auth/', bySsh)).status).toBe(201)
  const { body } = await admin.get('audits/operate-logs/?limit=100')
  const rows = body['results'] as unknown as { summary: string }[]
  // Of one transaction, in whatever order.
  const summaries = rows.map(({ summary }) => summary).toSorted()
  for (const uid of ['una', 'vic', 'wes'])
    expect(summaries.filter((summary) => summary.toLowerCase().includes(uid))).toEqual([
      `System changed the user group AD ${uid}`,
      `System created the user ${uid.toUpperCase()}`,
      `System created the user group AD ${uid}`,
    ])
})

test('who cannot be made a user is told why, and is not in', async () => {
  directory.add({ uid: 'jan', password: 'Of-jan-1', mail: 'ann@corp.example.com' })
  expect(await signIn('jan', 'Of-jan-1')).toMatchObject({
    status: 400,
    body: {
      error: 'directory_person_refused',
      msg: 'Your user could not be created here (email: This field must be unique.). Ask an administrator.',
    },
  })
})

test('who is disabled here does not come in with the password there', async () => {
  await imported('kim')
  await admin.patch(`users/users/${await idOf('kim')}/`, { is_active: false })
  expect(await signIn('kim', 'Of-kim-1')).toMatchObject({ status: 400, body: { error: 'user_inactive' } })
})

test('passwords there are not changed here: not by their person, not by a link, not by an administrator', async () => {
  await imported('lea')
  const lea = system.client()
  await lea.signIn('lea', 'Of-lea-1')
  const change = {
    old_password: 'Of-lea-1',
    new_password: 'Another-1-pw',
    new_password_again: 'Another-1-pw',
  }
  expect((await lea.put('users/profile/password/', change)).status).toBeGreaterThanOrEqual(400)
  const id = await idOf('lea')
  await confirm(admin, adminPassword)
  expect(await admin.patch(`users/users/${id}/password/`, { password: 'Another-1-pw' })).toMatchObject({
    status: 400,
  })
  expect((await admin.patch(`users/users/${id}/password/reset/`, {})).status).toBeGreaterThanOrEqual(400)
  await admin.patch(`users/users/${id}/`, { need_update_password: true })
  expect(await signIn('lea', 'Of-lea-1')).toMatchObject(isIn)
})

test('guesses count and block as those of any password, whatever the case of the name', async () => {
  await imported('max')
  const security = 'settings/setting/?category=security'
  await admin.patch(security, { SECURITY_LOGIN_LIMIT_COUNT: 3 })
  expect(await signIn('MAX', 'guess')).toMatchObject(isWrong)
  for (const left of [2, 1])
    expect((await signIn('max', 'guess')).body).toMatchObject({
      msg: expect.stringContaining(String(left)) as string,
    })
  expect(await signIn('max', 'guess')).toMatchObject({ body: { error: 'block_login' } })
  expect(await signIn('max', 'Of-max-1')).toMatchObject({ status: 400, body: { error: 'block_login' } })
  // Under another case the right password opens nothing either: it would be a way around the block.
  expect(await signIn('Max', 'Of-max-1')).toMatchObject(isWrong)
  await admin.patch(`users/users/${await idOf('max')}/unblock/`, {})
  expect(await signIn('max', 'Of-max-1')).toMatchObject(isIn)
  await admin.patch(security, { SECURITY_LOGIN_LIMIT_COUNT: 7 })
})

test('while LDAP is off nobody of the directory comes in', async () => {
  await imported('ned')
  await set({ AUTH_LDAP: false })
  expect(await signIn('ned', 'Of-ned-1')).toMatchObject(isWrong)
  await set({ AUTH_LDAP: true })
  expect(await signIn('ned', 'Of-ned-1')).toMatchObject(isIn)
})

test('the way is encrypted where that is set, and only to who shows a certificate that is known and theirs', async () => {
  const stranger = await startDirectory({ trusted: false })
  directory.add({ uid: 'ole', password: 'Of-ole-1' })
  stranger.add({ uid: 'ole', password: 'Of-stranger-1' })
  const again = { AUTH_LDAP_BIND_PASSWORD: settings.AUTH_LDAP_BIND_PASSWORD }
  const at = (AUTH_LDAP_SERVER_URI: string, AUTH_LDAP_START_TLS = false) =>
    set({ ...again, AUTH_LDAP_SERVER_URI, AUTH_LDAP_START_TLS })
  const named = (url: string) => url.replace('127.0.0.1', 'localhost')
  await at(directory.secureUrl)
  expect(await signIn('ole', 'Of-ole-1')).toMatchObject(isIn)
  await at(named(directory.url), true)
  expect(await signIn('ole', 'Of-ole-1')).toMatchObject(isIn)
  // Of an unknown issuer; and known, but another's.
  for (const [url, startTls] of [
    [stranger.secureUrl, false],
    [named(stranger.url), true],
    [directory.url, true],
    [directory.secureUrl.replace('localhost', '127.0.0.1'), false],
  ] as const) {
    await at(url, startTls)
    for (const password of ['Of-ole-1', 'Of-stranger-1'])
      expect(await signIn('ole', password)).toMatchObject(isUnanswered)
  }
  await at(directory.url)
})

/** Says this to whatever it is asked, and nothing more. */
async function mute(answer?: Buffer): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer && socket.write(answer))
  })
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `ldap://127.0.0.1:${(server.address() as net.AddressInfo).port}`
}
const accepted = Buffer.from('300c02010178070a010004000400', 'hex')

test('who adds something in the clear behind the yes to encryption is not talked to', async () => {
  await imported('pia')
  const bindSaysYes = Buffer.from('300c02010161070a010004000400', 'hex')
  for (const answer of [
    Buffer.concat([accepted, bindSaysYes]),
    Buffer.from('300c02010178070a013404000400', 'hex'),
    Buffer.from('SSH-2.0-x\r\n'),
  ]) {
    const url = await mute(answer)
    await set({
      ...settings,
      AUTH_LDAP_SERVER_URI: url,
      AUTH_LDAP_START_TLS: true,
      AUTH_LDAP_CONNECT_TIMEOUT: 1,
    })
    expect(await signIn('pia', 'Of-pia-1')).toMatchObject(isUnanswered)
  }
  await set({ ...settings, AUTH_LDAP_START_TLS: false, AUTH_LDAP_CONNECT_TIMEOUT: 10 })
})

test('a directory that does not answer lets nobody in, takes its time at most, and counts no guess', async () => {
  await imported('rob')
  const silent = await mute()
  await set({
    ...settings,
    AUTH_LDAP_SERVER_URI: silent,
    AUTH_LDAP_START_TLS: true,
    AUTH_LDAP_CONNECT_TIMEOUT: 1,
  })
  const client = system.client()
  for (let n = 0; n < 8; n += 1) expect(await signIn('rob', 'Of-rob-1')).toMatchObject(isUnanswered)
  expect(
    await client.post('authentication/auth/', { username: 'nobody-there', password: 'x' }),
  ).toMatchObject(isUnanswered)
  expect(await logOf('rob')).toMatchObject({
    status: { value: false },
    reason: 'directory_unavailable',
  })
  // People of here come in as ever.
  expect(await signIn('admin', adminPassword)).toMatchObject(isIn)
  // And nothing of theirs is asked there.
  expect(await signIn('admin', 'wrong')).toMatchObject(isWrong)
  await set({ ...settings, AUTH_LDAP_START_TLS: false, AUTH_LDAP_CONNECT_TIMEOUT: 10 })
  expect(await signIn('rob', 'Of-rob-1')).toMatchObject(isIn)
})

test('many guesses at one name hold its person up no longer than one, while the directory does not answer', async () => {
  let asked = 0
  const server = net.createServer((socket) => {
    asked += 1
    socket.on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  await set({
    ...settings,
    AUTH_LDAP_SERVER_URI: `ldap://127.0.0.1:${port}`,
    AUTH_LDAP_START_TLS: true,
    AUTH_LDAP_CONNECT_TIMEOUT: 1,
  })
  const answers = await Promise.all(Array.from({ length: 12 }, () => signIn('val', 'guess')))
  for (const answer of answers) expect(answer).toMatchObject(isUnanswered)
  expect(asked).toBe(1)
  // Of somebody else it is asked.
  expect(await signIn('wim', 'guess')).toMatchObject(isUnanswered)
  expect(asked).toBe(2)
  server.close()
  await set({ ...settings, AUTH_LDAP_START_TLS: false, AUTH_LDAP_CONNECT_TIMEOUT: 10 })
})

test('a temporary password that was compared is a guess, also while the directory does not answer', async () => {
  await imported('ted')
  const security = 'settings/setting/?category=security'
  await confirm(admin, adminPassword)
  await admin.patch(security, { SECURITY_LOGIN_LIMIT_COUNT: 3 })
  const down = { ...settings, AUTH_LDAP_SERVER_URI: 'ldap://127.0.0.1:1' }
  await set(down)
  const guess = 'x'.repeat(36)
  // While there are none, nothing was compared.
  for (let n = 0; n < 5; n += 1) expect(await signIn('ted', guess)).toMatchObject(isUnanswered)
  await admin.patch(security, { AUTH_TEMP_TOKEN: true })
  for (let n = 0; n < 5; n += 1) expect(await signIn('ted', 'Of-ted-1')).toMatchObject(isUnanswered)
  for (let n = 0; n < 3; n += 1) expect(await signIn('ted', guess)).toMatchObject(isUnanswered)
  expect(await signIn('ted', guess)).toMatchObject({ body: { error: 'block_login' } })
  await admin.patch(security, { AUTH_TEMP_TOKEN: false })
  await admin.patch(`users/users/${await idOf('ted')}/unblock/`, {})
  await set(settings)
  expect(await signIn('ted', 'Of-ted-1')).toMatchObject(isIn)
  await admin.patch(security, { SECURITY_LOGIN_LIMIT_COUNT: 7 })
})

test.each([
  ['is silent where it should encrypt', async () => `ldaps://127.0.0.1:${await quietPort()}`],
  ['takes no connection', async () => `ldap://127.0.0.1:${await deafPort()}`],
  // A length far over the end of the message.
  ['answers with what is no answer', () => mute(Buffer.from('300b020102640604847fffffff', 'hex'))],
])('a directory that %s ends no server, whoever signs in', async (_what, url) => {
  await set({ ...settings, AUTH_LDAP_SERVER_URI: await url(), AUTH_LDAP_CONNECT_TIMEOUT: 1 })
  expect(await signIn('nobody-known', 'x')).toMatchObject(isUnanswered)
  expect(await signIn('admin', adminPassword)).toMatchObject(isIn)
  await set({ ...settings, AUTH_LDAP_CONNECT_TIMEOUT: 10 })
})

test('who may search there no more lets nobody in', async () => {
  await imported('sue')
  await set({ AUTH_LDAP_BIND_PASSWORD: 'changed there' })
  expect(await signIn('sue', 'Of-sue-1')).toMatchObject(isUnanswered)
  await set({ AUTH_LDAP_BIND_PASSWORD: settings.AUTH_LDAP_BIND_PASSWORD })
})

test('a directory that is gone lets nobody in', async () => {
  const gone = await startDirectory()
  gone.add({ uid: 'tim', password: 'Of-tim-1' })
  await set({ ...settings, AUTH_LDAP_SERVER_URI: gone.url })
  expect(await signIn('tim', 'Of-tim-1')).toMatchObject(isIn)
  await gone.stop()
  expect(await signIn('tim', 'Of-tim-1')).toMatchObject(isUnanswered)
})
