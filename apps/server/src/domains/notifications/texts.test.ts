/** Codes by SMS on their way. */
import { beforeAll, expect, test, vi } from 'vitest'
import { createLog } from '../../kernel/log.ts'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { testGround } from '../../kernel/testing/ground.ts'
import { settingsOf as mailSettingsOf, startMailServer } from '../../testing-mail.ts'
import { settingsOf, startHuawei } from '../../testing-sms.ts'
import { createSettings } from '../settings/index.ts'
import { users } from '../users/index.ts'
import { mails, texts } from './carriers.ts'
import { createOutbox } from './outbox.ts'
import { mailOutbox } from './tables.ts'

const database = await createTestDatabase()
const { db } = database
const said: string[] = []
const ground = {
  ...(await testGround(database)),
  log: createLog('trace', 'test', { write: (line: string) => void said.push(line) }),
}
const settings = createSettings(ground)
const provider = await startHuawei()
const post = await startMailServer()
const [person] = await db
  .insert(users)
  .values({ name: 'Ann', username: 'ann', email: 'ann@example.com' })
  .returning({ id: users.id })
const told = { userId: String(person?.id), type: 'VerifyCodeMsg', ttlSeconds: 600 }
const waiting = () => db.select().from(mailOutbox)
beforeAll(() =>
  settings.store(db, {
    ...settingsOf(provider),
    ...mailSettingsOf(post),
    SMS_ENABLED: true,
    SMS_BACKEND: 'huawei',
  }),
)

const [phone, code] = ['+8613912345678', '840915']
const outbox = createOutbox(
  { ...ground, carrier: texts(settings), gaveUp: () => Promise.resolve() },
  { retrySeconds: 0.05, maxAttempts: 100, maxWaiting: 100 },
)
const sending = () => outbox.put(db, [{ ...told, address: phone, code }])

test('a text that is not taken for now is tried again, arrives once, and waits sealed', async () => {
  provider.behave = 'busy'
  const stop = outbox.start()
  await sending()
  await vi.waitFor(() => expect(provider.asked).toBeGreaterThan(1), 20_000)
  expect(JSON.stringify(await waiting())).not.toContain(code)
  provider.behave = 'take'
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), 20_000)
  expect(provider.taken).toMatchObject([{ phone, code }])
  await stop()
})

test('a text that is refused for good is given up, and no phone and no code gets into the log', async () => {
  provider.behave = 'refuse'
  const stop = outbox.start()
  await sending()
  await vi.waitFor(() => expect(said.join('')).toContain('was given up'), 20_000)
  expect(await waiting()).toEqual([])
  await stop()
  provider.behave = 'take'
  expect(said.join('')).toContain('sms_refused E000510')
  expect(said.join('')).toContain('a message was sent')
  expect(said.join('')).not.toMatch(new RegExp(`${phone.slice(3)}|${code}`))
})

test('a mail server that hangs holds up no text', async () => {
  post.behave = 'hang'
  const mailOut = createOutbox({ ...ground, carrier: mails(settings), gaveUp: () => Promise.resolve() })
  const stops = [mailOut.start(), outbox.start()]
  const hello = { subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
  const { tries } = post
  await mailOut.put(
    db,
    Array.from({ length: 5 }, () => ({ ...told, ...hello, address: 'ann@example.com' })),
  )
  await vi.waitFor(() => expect(post.tries).toBeGreaterThan(tries), 20_000)
  const before = provider.taken.length
  await sending()
  await vi.waitFor(() => expect(provider.taken).toHaveLength(before + 1), 20_000)
  await Promise.all(stops.map((stop) => stop()))
  expect((await waiting()).map(({ channel }) => channel)).not.toContain('sms')
})
