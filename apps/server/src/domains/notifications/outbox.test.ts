import { beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { testGround } from '../../kernel/testing/ground.ts'
import { createSettings } from '../settings/index.ts'
import { users } from '../users/index.ts'
import { mails } from './carriers.ts'
import { createOutbox, type OutboxOptions } from './outbox.ts'
import { type MailServer, sendMail } from './smtp.ts'
import { mailOutbox } from './tables.ts'
import { settingsOf, startMailServer } from '../../testing-mail.ts'

const database = await createTestDatabase()
const { db } = database
const ground = await testGround(database)
const settings = createSettings(ground)
const post = await startMailServer()
const [person] = await db
  .insert(users)
  .values({ name: 'Ann', username: 'ann', email: 'ann@example.com' })
  .returning({ id: users.id })
const waiting = () => db.select().from(mailOutbox)
beforeAll(() => settings.store(db, settingsOf(post)))

const serverAt = (port: number, more: Partial<MailServer> = {}): MailServer => ({
  host: 'localhost',
  port,
  user: 'sallyport@example.com',
  password: undefined,
  security: 'offered',
  from: 'sallyport@example.com',
  ...more,
})
const hello = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

/** Another node with an outbox of its own measure. */
function outboxOf(options: Partial<OutboxOptions> = {}) {
  const gaveUp: string[] = []
  const outbox = createOutbox(
    {
      ...ground,
      carrier: mails(settings),
      gaveUp: ({ address }) => Promise.resolve(void gaveUp.push(address)),
    },
    { retrySeconds: 0.05, maxAttempts: 3, maxWaiting: 100, ...options },
  )
  const put = (address: string, ttlSeconds = 600) =>
    outbox.put(db, [{ ...hello, userId: String(person?.id), type: 'VerifyCodeMsg', address, ttlSeconds }])
  return { ...outbox, send: put, gaveUp }
}

test('mail goes over TLS from the first byte, after STARTTLS, or not at all where TLS is wanted', async () => {
  const ssl = await startMailServer({ secure: true })
  await sendMail(serverAt(ssl.port, { security: 'ssl' }), 'to@example.com', hello)
  expect(ssl.mails).toMatchObject([{ isSecure: true }])
  await sendMail(serverAt(post.port, { security: 'starttls' }), 'to@example.com', hello)
  expect(post.mails.at(-1)).toMatchObject({ isSecure: true })
  const plain = await startMailServer({ disabledCommands: ['STARTTLS'] })
  await expect(
    sendMail(serverAt(plain.port, { security: 'starttls' }), 'to@example.com', hello),
  ).rejects.toThrow()
  expect(plain.mails).toEqual([])
  const stranger = await startMailServer({ trusted: false })
  await expect(
    sendMail(serverAt(stranger.port, { security: 'starttls' }), 'to@example.com', hello),
  ).rejects.toThrow()
})

test('no subject and no address brings in another header or another recipient', async () => {
  const subject = 'Hello\r\nBcc: other@example.com\u2028X: y'
  await sendMail(serverAt(post.port), 'to@example.com', { ...hello, subject })
  const { raw, to } = post.mails.at(-1) ?? { raw: '', to: [] }
  expect(to).toEqual(['to@example.com'])
  expect(raw).not.toMatch(/^(Bcc|X):/m)
  const before = post.mails.length
  for (const address of [
    'a@b.c\r\nBcc: d@e.f',
    'a@b.c,d@e.f',
    'A <a@b.c>',
    'a@b.c d@e.f',
    'nobody',
    '"a@b"@c.d',
  ])
    await expect(sendMail(serverAt(post.port), address, hello)).rejects.toThrow('no mail address')
  expect(post.mails).toHaveLength(before)
})

test('a mail that is refused for now is tried again, and arrives once', async () => {
  post.behave = 'later'
  const before = post.mails.length
  const outbox = outboxOf({ maxAttempts: 100 })
  const stop = outbox.start()
  const { tries } = post
  await outbox.send('later@example.com')
  await vi.waitFor(() => expect(post.tries).toBeGreaterThan(tries + 1), 20_000)
  post.behave = 'take'
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), 20_000)
  expect(post.mails.slice(before).map(({ to }) => to)).toEqual([['later@example.com']])
  await stop()
})

test('a mail that is refused for good, or too often, is given up and told of', async () => {
  const outbox = outboxOf({ maxAttempts: 2 })
  const stop = outbox.start()
  post.behave = 'refuse'
  const { tries } = post
  await outbox.send('refused@example.com')
  await vi.waitFor(() => expect(outbox.gaveUp).toEqual(['refused@example.com']), 20_000)
  expect(post.tries).toBe(tries + 1)
  post.behave = 'drop'
  await outbox.send('dropped@example.com')
  await vi.waitFor(() => expect(outbox.gaveUp).toContain('dropped@example.com'), 20_000)
  expect(post.tries).toBe(tries + 3)
  expect(await waiting()).toEqual([])
  post.behave = 'take'
  await stop()
})

test('a mail server that says nothing keeps nobody waiting, and its mail outlives the node that tried', async () => {
  post.behave = 'hang'
  const before = post.mails.length
  const hanging = outboxOf()
  const stopHanging = hanging.start()
  const { tries } = post
  await hanging.send('hanging@example.com')
  await vi.waitFor(() => expect(post.tries).toBeGreaterThan(tries), 20_000)
  await stopHanging()
  expect(await waiting()).toHaveLength(1)
  post.behave = 'take'
  const stop = outboxOf().start()
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), 20_000)
  expect(post.mails.slice(before).map(({ to }) => to)).toEqual([['hanging@example.com']])
  await stop()
})

test('mails that wait are bounded, sealed, and forgotten when nobody needs them any more', async () => {
  const outbox = outboxOf({ maxWaiting: 2 })
  await settings.store(db, { EMAIL_PORT: '1' })
  for (const address of ['a@example.com', 'b@example.com', 'c@example.com']) await outbox.send(address, 3600)
  expect((await waiting()).map(({ address }) => address)).toEqual(['a@example.com', 'b@example.com'])
  expect(JSON.stringify(await waiting())).not.toContain('Hello')
  await db.update(mailOutbox).set({ date_expired: new Date(0) })
  const stop = outbox.start()
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), 20_000)
  await stop()
})
