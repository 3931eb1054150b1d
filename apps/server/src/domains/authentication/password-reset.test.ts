import { beforeAll, expect, test, vi } from 'vitest'
import { adminPassword, startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson, confirm, password } from '../../testing-people.ts'
import { settingsOf, startMailServer } from '../../testing-mail.ts'

const system = await startTestSystem()
const admin = await system.admin()
const post = await startMailServer()
const newPassword = 'Another-password-9'

beforeAll(async () => {
  await confirm(admin, adminPassword)
  await admin.patch('settings/setting/?category=email', settingsOf(post))
  await admin.patch('settings/setting/?category=basic', { SITE_URL: 'https://sallyport.example.com/' })
})

const mailsTo = (name: string) => post.mails.filter(({ to }) => to.includes(`${name}@example.com`))
async function mailTo(name: string, count = 1) {
  await vi.waitFor(() => expect(mailsTo(name).length).toBeGreaterThanOrEqual(count), 20_000)
  return mailsTo(name).at(-1)
}
/** Without waiting: nothing is on its way to anybody. */
async function nothingWaits() {
  await vi.waitFor(async () => {
    const { rows } = await system.database.pool.query('select 1 from mail_outbox')
    expect(rows).toEqual([])
  }, 20_000)
}
const tokenIn = (text: unknown) => /token=([\w%.-]+)/.exec(String(text))?.[1] ?? ''

/** Somebody at the sign-in page. */
async function atTheDoor(address = '127.0.0.1'): Promise<TestClient> {
  const client = system.client({ address })
  await client.get('/core/auth/login/')
  return client
}
async function forget(client: TestClient, username: string, email = `${username}@example.com`) {
  const asked = await client.post('/core/auth/password/forget/previewing/', { username })
  const token = tokenIn(asked.body['next'])
  const sent = await client.post(`authentication/password/reset-code/?token=${token}`, {
    form_type: 'email',
    email,
  })
  return { token, sent }
}
const prove = (client: TestClient, token: string, email: string, code: string) =>
  client.post(`/core/auth/password/forgot/?token=${token}`, { form_type: 'email', email, code })
const reset = (client: TestClient, token: string, chosen = newPassword) =>
  client.post(`/core/auth/password/reset/?token=${token}`, { new_password: chosen, confirm_password: chosen })

test('who forgot the password gets a code, for the code a link, and sets another; it works once', async () => {
  const person = await addPerson(system, admin, { username: 'ann' })
  const before = await person.signedIn()
  const client = await atTheDoor()
  const { token, sent } = await forget(client, 'ann')
  expect(sent).toMatchObject({ status: 200, body: { data: 'ok' } })
  const code = /\b\d{6}\b/.exec((await mailTo('ann'))?.text ?? '')?.[0] ?? ''
  const wrong = code === '123456' ? '654321' : '123456'
  expect(await prove(client, token, 'ann@example.com', wrong)).toMatchObject({
    status: 400,
    body: { error: 'The code is wrong or has expired.' },
  })
  const proven = await prove(client, token, 'ann@example.com', code)
  expect(proven).toMatchObject({
    status: 200,
    body: { next: expect.stringContaining('/core/auth/password/reset/') },
  })
  expect((await prove(client, token, 'ann@example.com', code)).status).toBe(400)
  const link = tokenIn(proven.body['next'])
  expect((await reset(client, link, 'short')).body).toHaveProperty('new_password')
  expect(
    (
      await client.post(`/core/auth/password/reset/?token=${link}`, {
        new_password: newPassword,
        confirm_password: 'x',
      })
    ).body,
  ).toHaveProperty('confirm_password')
  expect((await reset(client, link)).status).toBe(200)
  expect((await reset(client, link, 'Once-more-9')).status).toBe(400)
  expect((await client.signIn('ann', password)).status).toBe(400)
  expect((await client.signIn('ann', newPassword)).status).toBe(200)
  // Other sign-ins of the person end, and the person hears of it.
  expect((await before.get('users/profile/')).status).toBe(401)
  expect(await mailTo('ann', 2)).toMatchObject({ subject: '[Sallyport] Reset password success' })
  const { results } = (await client.get('notifications/site-messages/?limit=15')).body
  expect(results?.[0]).toMatchObject({ content: { subject: 'Reset password success' } })
})

test('nobody learns whether there is an account, or what its address is', async () => {
  await addPerson(system, admin, { username: 'carl' })
  await nothingWaits()
  const client = await atTheDoor('10.9.9.1')
  const answers = []
  const times: number[] = []
  for (const [name, email] of [
    ['carl', 'carl@example.com'],
    ['carl', 'other@example.com'],
    ['nobody', 'nobody@example.com'],
    ['admin', 'nobody@example.com'],
  ] as const) {
    const began = performance.now()
    const { token, sent } = await forget(client, name, email)
    times.push(performance.now() - began)
    const tried = await prove(client, token, email, '000000')
    answers.push([sent.status, sent.body, tried.status, tried.body])
  }
  for (const one of answers) expect(one).toEqual(answers[0])
  expect(Math.min(...times)).toBeGreaterThanOrEqual(390)
  await nothingWaits()
  expect(mailsTo('carl')).toHaveLength(1)
  expect(mailsTo('other')).toEqual([])
})

test('codes are counted: a second one has to wait, guesses end, and who asks too often is refused', async () => {
  await addPerson(system, admin, { username: 'dora' })
  const client = await atTheDoor('10.9.9.2')
  const { token } = await forget(client, 'dora')
  await mailTo('dora')
  const { sent } = await forget(client, 'dora')
  expect(sent.status).toBe(200)
  await nothingWaits()
  expect(mailsTo('dora')).toHaveLength(1)
  const code = /\b\d{6}\b/.exec(mailsTo('dora')[0]?.text ?? '')?.[0] ?? ''
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  for (let guess = 0; guess < 5; guess += 1) await prove(client, token, 'dora@example.com', wrong)
  expect((await prove(client, token, 'dora@example.com', code)).status).toBe(400)
  let last = await forget(client, 'dora')
  for (let round = 0; round < 22; round += 1) last = await forget(client, 'dora')
  expect(last.sent).toMatchObject({ status: 400, body: { error: expect.stringContaining('60 minutes') } })
})

const counted = async (kind: string) => {
  const { rows } = await system.database.pool.query<{ subject: string; count: number }>(
    'select subject, count from login_counters where kind = $1',
    [kind],
  )
  return rows
}

test('strangers who ask for a name keep its owner from nothing, and leave no row for each name', async () => {
  const { id } = await addPerson(system, admin, { username: 'hal' })
  const before = await counted('link_user')
  const stranger = await atTheDoor('10.9.9.4')
  await Promise.all(Array.from({ length: 12 }, () => forget(stranger, 'hal', 'guess@example.com')))
  await Promise.all(Array.from({ length: 20 }, (_, index) => forget(stranger, `invented-${index}`)))
  expect(await counted('link_user')).toEqual(before)
  expect((await forget(await atTheDoor('10.9.9.5'), 'hal')).sent.status).toBe(200)
  await mailTo('hal')
  expect(await counted('link_user')).toContainEqual({ subject: id, count: 1 })
})

test('nobody is mailed more than ten codes an hour, and who asks for more does not hear of it', async () => {
  const { id } = await addPerson(system, admin, { username: 'ida' })
  await nothingWaits()
  await system.database.pool.query(
    `insert into login_counters (kind, subject, count, date_expired) values ('link_user', $1, 10, now() + interval '1 hour')`,
    [id],
  )
  expect((await forget(await atTheDoor('10.9.9.6'), 'ida')).sent).toMatchObject({ body: { data: 'ok' } })
  await nothingWaits()
  expect(mailsTo('ida')).toEqual([])
})

test('passwords one may choose are compared with earlier ones twenty times an hour, not more', async () => {
  const { id } = await addPerson(system, admin, { username: 'jo' })
  await admin.patch(`users/users/${id}/password/reset/`, {})
  const token = tokenIn((await mailTo('jo'))?.text)
  const client = await atTheDoor('10.9.9.7')
  const refused = []
  for (let round = 0; round < 21; round += 1) refused.push((await reset(client, token, password)).body)
  expect(JSON.stringify(refused[19])).not.toContain('60 minutes')
  expect(refused[20]).toMatchObject({ new_password: [expect.stringContaining('60 minutes')] })
})

test('somebody new is mailed a link to set the password, which leads where the settings say', async () => {
  const made = await admin.post('users/users/', {
    name: 'Eve <b>',
    username: 'eve',
    email: 'eve@example.com',
  })
  expect(made.status).toBe(201)
  const mail = await mailTo('eve')
  expect(mail?.text).toContain('https://sallyport.example.com/core/auth/password/reset/?token=')
  expect(mail?.raw).not.toContain('Eve <b>,</p>')
  const token = tokenIn(mail?.text)
  expect((await reset(await atTheDoor(), token)).status).toBe(200)
  expect((await system.client().signIn('eve', newPassword)).status).toBe(200)
})

test('texts of administrators stand in the mail to somebody new, as texts', async () => {
  await admin.patch('settings/setting/?category=email_content', {
    EMAIL_CUSTOM_USER_CREATED_SUBJECT: 'Welcome {name}',
    EMAIL_CUSTOM_USER_CREATED_BODY: 'Hi {username} <i>',
  })
  await admin.post('users/users/', { name: 'Finn', username: 'finn', email: 'finn@example.com' })
  const mail = await mailTo('finn')
  expect(mail?.subject).toBe('[Sallyport] Welcome Finn')
  expect(mail?.text).toMatch(/^Hi finn <i>\r?\nhttps:/)
  expect(mail?.raw).toContain('&lt;i&gt;')
})

test('an administrator takes a password away, and its person sets another by mail', async () => {
  const person = await addPerson(system, admin, { username: 'gus' })
  const before = await person.signedIn()
  expect((await admin.patch(`users/users/${person.id}/password/reset/`, {})).status).toBe(200)
  expect((await before.get('users/profile/')).status).toBe(401)
  expect((await system.client().signIn('gus', password)).status).toBe(400)
  const token = tokenIn((await mailTo('gus'))?.text)
  // Not for another address, or somebody who may no longer sign in.
  await admin.patch(`users/users/${person.id}/`, { is_active: false })
  await admin.patch(`users/users/${person.id}/`, { is_active: true })
  expect((await reset(await atTheDoor(), token)).status).toBe(400)
})

test('a link of another site, or another request, is refused', async () => {
  const client = system.client({
    headers: { origin: 'https://evil.example.com', 'sec-fetch-site': 'cross-site' },
  })
  await client.get('/core/auth/login/')
  expect((await client.post('/core/auth/password/forget/previewing/', { username: 'admin' })).status).toBe(
    403,
  )
  const here = await atTheDoor('10.9.9.3')
  for (const token of ['', 'x', 'v1.a.b', system.ground.secrets.seal('{"for":"x"}')])
    expect(
      (
        await here.post(`authentication/password/reset-code/?token=${token}`, {
          form_type: 'email',
          email: 'a@b.c',
        })
      ).status,
    ).toBe(400)
  expect((await system.client().signIn('admin', adminPassword)).status).toBe(200)
})
