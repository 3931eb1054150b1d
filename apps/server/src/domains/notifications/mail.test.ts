import { expect, test, vi } from 'vitest'
import { startTestSystem } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'
import { settingsOf, startMailServer } from '../../testing-mail.ts'

const system = await startTestSystem()
const admin = await system.admin()
const post = await startMailServer()
const page = 'settings/setting/?category=email'

test('the mail server is set on a page of its own, and its password is never told', async () => {
  expect((await admin.get(page)).body).toMatchObject({ EMAIL_HOST: null, EMAIL_USE_SSL: null })
  const set = await admin.patch(page, { ...settingsOf(post), EMAIL_HOST_PASSWORD: 'right' })
  expect(set).toMatchObject({ status: 200, body: { EMAIL_HOST: '127.0.0.1', EMAIL_PORT: String(post.port) } })
  expect((await admin.get('settings/public/')).body).toMatchObject({ EMAIL_ENABLED: true })
  // An empty one changes nothing.
  await admin.patch(page, { EMAIL_HOST_PASSWORD: '', EMAIL_FROM: 'from@example.com' })
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
