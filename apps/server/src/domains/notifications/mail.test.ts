import { expect, test, vi } from 'vitest'
import { adminPassword, startTestSystem } from '../../testing.ts'
import { addHolder, addPerson, confirm, password } from '../../testing-people.ts'
import { settingsOf, startMailServer } from '../../testing-mail.ts'

const system = await startTestSystem()
const admin = await system.admin()
const post = await startMailServer()
const page = 'settings/setting/?category=email'

test('the mail server is set on a page of its own, and its password is never told', async () => {
  expect((await admin.get(page)).body).toMatchObject({ EMAIL_HOST: null, EMAIL_USE_SSL: null })
  await confirm(admin, adminPassword)
  const set = await admin.patch(page, { ...settingsOf(post), EMAIL_HOST_PASSWORD: 'right' })
  expect(set).toMatchObject({ status: 200, body: { EMAIL_HOST: '127.0.0.1', EMAIL_PORT: String(post.port) } })
  expect((await admin.get('settings/public/')).body).toMatchObject({ EMAIL_ENABLED: true })
  // An empty one changes nothing, and neither does none.
  await admin.patch(page, { EMAIL_HOST_PASSWORD: '', EMAIL_FROM: 'from@example.com' })
  expect((await admin.patch(page, { EMAIL_HOST_PASSWORD: null })).status).toBe(200)
  const shown = await admin.get(page)
  expect(shown.body).toMatchObject({ EMAIL_FROM: 'from@example.com' })
  expect(shown.body).not.toHaveProperty('EMAIL_HOST_PASSWORD')
  const { rows } = await system.database.pool.query(
    `select value, encrypted from settings where name = 'EMAIL_HOST_PASSWORD'`,
  )
  expect(rows).toEqual([{ encrypted: true, value: expect.not.stringContaining('right') }])
  const logs = await admin.get('audits/operate-logs/?limit=100')
  expect(logs.bytes.toString()).not.toContain('"right"')
  expect(JSON.stringify((await admin.options(page)).body)).toContain('EMAIL_HOST_PASSWORD')
  expect((await admin.patch(page, { EMAIL_PORT: '99999' })).body).toHaveProperty('EMAIL_PORT')
  expect((await admin.patch(page, { EMAIL_HOST: 'a b' })).body).toHaveProperty('EMAIL_HOST')
  expect((await admin.get('settings/setting/')).body).toHaveProperty('SITE_URL')
  expect((await admin.get('settings/setting/?category=nothing')).status).toBe(404)
})

test('a test mail shows whether the mail server takes it, and why not', async () => {
  const sent = await admin.post('settings/mail/testing/', { EMAIL_RECIPIENT: 'to@example.com' })
  expect(sent).toMatchObject({ status: 200, body: { msg: expect.stringContaining('to@example.com') } })
  expect(post.mails.at(-1)).toMatchObject({
    from: 'from@example.com',
    to: ['to@example.com'],
    user: 'sallyport@example.com',
  })
  post.behave = 'refuse'
  const refused = await admin.post('settings/mail/testing/', { EMAIL_RECIPIENT: 'to@example.com' })
  expect(refused).toMatchObject({ status: 400, body: { error: expect.stringContaining('no such mailbox') } })
  post.behave = 'take'
  await admin.patch(page, { EMAIL_HOST_PASSWORD: 'wrong' })
  const unknown = await admin.post('settings/mail/testing/', { EMAIL_RECIPIENT: 'to@example.com' })
  expect(unknown).toMatchObject({ status: 400, body: { error: expect.stringMatching(/login|auth/i) } })
  await admin.patch(page, { EMAIL_HOST_PASSWORD: 'right' })
})

test('whoever may set up mail cannot lead its password, or mail, elsewhere by the way', async () => {
  const clerk = await addHolder(system, admin, 'settings.view_setting', 'settings.change_email')
  const elsewhere = await startMailServer()
  const place = settingsOf(elsewhere)
  const before = (await admin.get(page)).body
  // The password is typed again where it goes.
  for (const change of [
    place,
    { EMAIL_HOST: 'localhost' },
    { EMAIL_PORT: '2525' },
    { EMAIL_HOST_USER: 'another' },
    { EMAIL_USE_SSL: true },
    { EMAIL_USE_TLS: true },
    { EMAIL_HOST: 'localhost', EMAIL_HOST_PASSWORD: '' },
  ])
    expect(await clerk.patch(page, change)).toMatchObject({
      status: 400,
      body: { EMAIL_HOST_PASSWORD: ['Type the password again: it would go to another mail server.'] },
    })
  // And whoever leads mail elsewhere says again who they are.
  const typed = { ...place, EMAIL_HOST_PASSWORD: 'mine' }
  expect(await clerk.patch(page, typed)).toMatchObject({ status: 400, body: { code: 'mfa' } })
  expect((await admin.get(page)).body).toEqual(before)
  // The try goes to the server that is stored, whatever else is named.
  await clerk.post('settings/mail/testing/', { ...typed, EMAIL_RECIPIENT: 'to@example.com' })
  expect(elsewhere.tries).toBe(0)
  expect(post.mails.at(-1)).toMatchObject({ to: ['to@example.com'] })
  // What is sent as it is, and all else, is changed as before.
  const same = { ...settingsOf(post), EMAIL_USE_SSL: false, EMAIL_SUBJECT_PREFIX: '[Mail]' }
  expect(await clerk.patch(page, same)).toMatchObject({
    status: 200,
    body: { EMAIL_SUBJECT_PREFIX: '[Mail]' },
  })
  await confirm(clerk, password)
  expect((await clerk.patch(page, typed)).status).toBe(200)
  const back = { ...settingsOf(post), EMAIL_HOST_PASSWORD: 'right' }
  expect((await clerk.patch(page, back)).status).toBe(200)
})

test('a mail is written in the language its reader chose, whoever causes it', async () => {
  const person = await addPerson(system, admin, { username: 'reader' })
  const subjects = async () => {
    const before = post.mails.length
    await admin.patch(`users/users/${person.id}/pubkey/reset/`, {})
    await vi.waitFor(() => expect(post.mails.length).toBeGreaterThan(before), 20_000)
    return post.mails.at(-1)?.text ?? ''
  }
  expect(await subjects()).toContain('SSH')
  const client = system.client()
  const language = { language: 'ja' }
  await client.get('/core/auth/login/')
  const { username, password } = person
  expect((await client.post('/core/auth/login/', { username, password }, language)).status).toBe(200)
  expect((await client.get('users/profile/')).body).toMatchObject(language)
  expect(await subjects()).toMatch(/[ぁ-ん]/)
  expect((await client.patch('users/profile/', { language: 'zh' })).body).toMatchObject({ language: 'zh' })
  const chinese = await subjects()
  expect(chinese).toMatch(/[一-龥]/)
  expect(chinese).not.toMatch(/[ぁ-ん]/)
  expect((await client.patch('users/profile/', { language: 'xx' })).status).toBe(400)
})

test('administrators are told of a mail that nobody will get, once an hour', async () => {
  const person = await addPerson(system, admin, { username: 'unreached' })
  post.behave = 'refuse'
  const told = async () =>
    ((await admin.get('notifications/site-messages/?limit=50')).body.results ?? []).filter(
      (one) => String(one['content']?.['subject']) === 'A mail could not be delivered',
    )
  await admin.patch(`users/users/${person.id}/password/reset/`, {})
  await vi.waitFor(async () => expect(await told()).toHaveLength(1), 20_000)
  expect((await told())[0]).toMatchObject({
    content: { message: expect.stringContaining('unreached@example.com') },
  })
  await admin.patch(`users/users/${person.id}/password/reset/`, {})
  await vi.waitFor(async () => {
    const { rows } = await system.database.pool.query('select 1 from mail_outbox')
    expect(rows).toEqual([])
  }, 20_000)
  expect(await told()).toHaveLength(1)
  post.behave = 'take'
})
