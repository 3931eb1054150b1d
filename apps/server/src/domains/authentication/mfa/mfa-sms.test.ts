/** A code by SMS as second factor, where the platform has it and the person has a phone. */
import { beforeAll, expect, test, vi } from 'vitest'
import { addPerson, confirm } from '../../../testing-people.ts'
import { settingsOf as mailSettings } from '../../../testing-mail.ts'
import { settingsOf, startHuawei } from '../../../testing-sms.ts'
import { startTestSystem, type TestClient } from '../../../testing.ts'
import { createSettings } from '../../settings/index.ts'

const system = await startTestSystem()
const provider = await startHuawei()
const settings = createSettings(system.ground)
const set = (values: Parameters<typeof settings.store>[1]) => settings.store(system.database.db, values)
let admin: TestClient
beforeAll(async () => {
  admin = await system.admin()
  await set({ ...settingsOf(provider), SMS_ENABLED: true, SMS_BACKEND: 'huawei' })
})

let phones = 0
const newPhone = () => `+86139${String(++phones).padStart(8, '0')}`
const withPhone = async (fields: Record<string, unknown> = {}) => {
  const phone = newPhone()
  return { phone, ...(await addPerson(system, admin, { mfa_level: 2, phone, ...fields })) }
}
/** `nth`: of all that go there. */
const sentTo = async (phone: string, nth = 1) =>
  await vi.waitFor(() => {
    const sms = provider.taken.filter((one) => one.phone === phone)[nth - 1]
    if (sms === undefined) throw new Error('no text yet')
    return sms.code
  }, 20_000)
const nextMayBeSent = (expired = 'now()') =>
  system.database.pool.query(`update mail_codes set date_expired = ${expired}`)
const select = (client: TestClient) => client.post('authentication/mfa/select/', { type: 'sms' })
const wrongOf = (code: string) => (code === '111111' ? '222222' : '111111')

test('a code is sent to the phone of whoever is on the way in, is good once, and another has to wait', async () => {
  const { phone, username, password } = await withPhone()
  const client = system.client()
  expect((await client.signIn(username, password)).body).toMatchObject({
    error: 'mfa_required',
    data: { choices: ['sms'] },
  })
  expect(await select(client)).toMatchObject({ status: 201, body: { type: 'sms' } })
  expect(await select(client)).toMatchObject({ status: 400, body: { error: expect.stringMatching(/Wait/) } })
  const code = await sentTo(phone)
  expect(code).toMatch(/^\d{6}$/)
  const answer = (of: TestClient, given: string) =>
    of.post('/core/auth/login/mfa/', { code: given, mfa_type: 'sms' })
  expect((await answer(client, wrongOf(code))).body).toMatchObject({ error: 'mfa_failed' })
  expect((await answer(client, code)).status).toBe(200)
  const again = system.client()
  await again.signIn(username, password)
  expect(await answer(again, code)).toMatchObject({ status: 400, body: { error: 'mfa_failed' } })
})

test.each([
  [
    'an administrator says',
    ({ id }: Awaited<ReturnType<typeof withPhone>>) =>
      (phone: string) =>
        admin.patch(`users/users/${id}/`, { phone }),
  ],
  [
    'they say themselves',
    async ({ username, password, phone: sentFirst }: Awaited<ReturnType<typeof withPhone>>) => {
      const own = system.client()
      await own.signIn(username, password)
      await select(own)
      await own.post('/core/auth/login/mfa/', { code: await sentTo(sentFirst), mfa_type: 'sms' })
      await nextMayBeSent()
      await select(own)
      const given = { confirm_type: 'mfa', mfa_type: 'sms', secret_key: await sentTo(sentFirst, 2) }
      expect((await own.post('authentication/confirm/', given)).status).toBe(200)
      await nextMayBeSent()
      return (phone: string) => own.patch('users/profile/', { phone })
    },
  ],
])(
  'a code that was sent to another phone than the one there is now, as %s, opens nothing',
  async (_who, by) => {
    await set({ VERIFY_CODE_TTL: 600 })
    const person = await withPhone()
    const change = await by(person)
    const before = provider.taken.filter((one) => one.phone === person.phone).length
    const client = system.client()
    await client.signIn(person.username, person.password)
    expect((await select(client)).status).toBe(201)
    const code = await sentTo(person.phone, before + 1)
    const other = newPhone()
    expect((await change(other)).status).toBe(200)
    const answer = (given: string) => client.post('/core/auth/login/mfa/', { code: given, mfa_type: 'sms' })
    expect((await answer(code)).body).toMatchObject({ error: 'mfa_failed' })
    // The new one does not wait for the old code to be over, but no flood comes of changing to and fro.
    const waits = /Wait [1-6]?\d seconds/
    expect((await select(client)).body).toMatchObject({ error: expect.stringMatching(waits) })
    await nextMayBeSent("date_expired - interval '60 s'")
    expect((await select(client)).status).toBe(201)
    expect((await answer(await sentTo(other))).status).toBe(200)
    await set({ VERIFY_CODE_TTL: 60 })
  },
)

test('nobody who is kept out for wrong codes makes texts go out', async () => {
  const { phone, username, password } = await withPhone()
  const client = system.client()
  await client.signIn(username, password)
  await select(client)
  const code = await sentTo(phone)
  for (let guess = 0; guess < 9; guess++)
    await client.post('/core/auth/login/mfa/', { code: wrongOf(code), mfa_type: 'sms' })
  await system.database.pool.query('delete from mail_codes')
  expect((await select(client)).status).toBe(400)
  expect(provider.taken.filter((one) => one.phone === phone)).toHaveLength(1)
})

test('a program that asks for a token is sent one as well, and answers as for any other code', async () => {
  const { phone, username, password } = await withPhone()
  const program = system.client()
  const ask = () => program.post('authentication/tokens/', { username, password })
  expect((await ask()).body).toMatchObject({ error: 'mfa_required', data: { choices: ['sms'] } })
  expect((await program.post('authentication/mfa/send-code/', { type: 'sms' })).status).toBe(201)
  const code = await sentTo(phone)
  expect((await program.post('authentication/mfa/challenge/', { type: 'sms', code })).body).toEqual({
    msg: 'ok',
  })
  expect(await ask()).toMatchObject({ status: 201, body: { token: expect.any(String) } })
})

test('a gateway has one sent to whoever comes in by SSH', async () => {
  const { phone, username, password } = await withPhone()
  const gateway = await system.component('gateway-1')
  const ask = () => gateway.post('authentication/tokens/', { username, password, remote_addr: '10.9.0.1' })
  expect((await ask()).body).toMatchObject({ error: 'mfa_required', data: { choices: ['sms'] } })
  expect((await gateway.post('authentication/mfa/select/', { type: 'sms', username })).status).toBe(201)
  const challenge = { type: 'sms', code: await sentTo(phone), remote_addr: '10.9.0.1', login_type: 'T' }
  expect((await gateway.post('authentication/mfa/challenge/', challenge)).body).toEqual({ msg: 'ok' })
  expect(await ask()).toMatchObject({ status: 201, body: { user: { username } } })
})

test('after five guesses a code is good no more', async () => {
  const { phone, username, password } = await withPhone()
  const client = system.client()
  await client.signIn(username, password)
  await select(client)
  const code = await sentTo(phone)
  const answer = (given: string) => client.post('/core/auth/login/mfa/', { code: given, mfa_type: 'sms' })
  for (let times = 0; times < 5; times++) expect((await answer(wrongOf(code))).status).toBe(400)
  expect((await answer(code)).body).toMatchObject({ error: 'mfa_failed' })
})

test('a code by SMS is none of another kind, and no text goes to somebody by their name alone', async () => {
  const { phone, username, password } = await withPhone()
  const stranger = await system.client().post('authentication/mfa/select/', { type: 'sms', username })
  expect(stranger).toMatchObject({ status: 400, body: { error: 'session_empty' } })
  const client = system.client()
  await client.signIn(username, password)
  await select(client)
  const code = await sentTo(phone)
  expect(provider.taken.filter((one) => one.phone === phone)).toHaveLength(1)
  for (const mfa_type of ['email', 'otp'])
    expect((await client.post('/core/auth/login/mfa/', { code, mfa_type })).body).toMatchObject({
      error: 'mfa_type_unavailable',
    })
})

test('who has an app may choose, and the mailbox is no factor of whoever has a phone', async () => {
  const choicesOf = async ({ username, password }: { username: string; password: string }) => {
    const { body } = await system.client().signIn(username, password)
    return (body as { data?: { choices?: string[] } }).data?.choices
  }
  const withApp = await withPhone()
  await system.database.pool.query(`update users set otp_secret = 'sealed' where id = $1`, [withApp.id])
  expect(await choicesOf(withApp)).toEqual(['otp', 'sms'])
  await set({ ...mailSettings({ port: 1 }), SECURITY_MFA_BY_EMAIL: true })
  expect(await choicesOf(await withPhone())).toEqual(['sms'])
  const withoutPhone = await addPerson(system, admin, { mfa_level: 2 })
  expect(await choicesOf(withoutPhone)).toEqual(['email'])
  await set({ SECURITY_MFA_BY_EMAIL: false })
  await set({ HUAWEI_APP_KEY: '' })
  expect(await choicesOf(withApp)).toEqual(['otp'])
  await set({ HUAWEI_APP_KEY: 'app', SMS_ENABLED: false })
  expect(await choicesOf(withApp)).toEqual(['otp'])
  await set({ SMS_ENABLED: true })
})

test('what is protected by a code by SMS is opened by one, and by no password', async () => {
  const person = await withPhone({ mfa_level: 0 })
  const client = await person.signedIn()
  await system.database.pool.query('update users set mfa_level = 1 where id = $1', [person.id])
  expect((await client.get('authentication/confirm/?confirm_type=password')).body).toMatchObject({
    confirm_type: 'mfa',
    content: [{ name: 'sms', display_name: 'SMS', placeholder: 'Code from the SMS' }],
  })
  const say = (given: Record<string, string>) => client.post('authentication/confirm/', given)
  expect((await say({ confirm_type: 'password', secret_key: person.password })).status).toBe(400)
  expect((await select(client)).status).toBe(201)
  const code = await sentTo(person.phone)
  expect((await say({ confirm_type: 'mfa', mfa_type: 'sms', secret_key: code })).status).toBe(200)
  expect((await client.post('authentication/access-keys/')).status).toBe(201)
})

test('who gives themselves another phone says again who they are: codes would go there', async () => {
  const person = await addPerson(system, admin, { phone: newPhone() })
  const client = await person.signedIn()
  const phone = newPhone()
  expect(await client.patch('users/profile/', { phone })).toMatchObject({
    status: 400,
    body: { code: 'password' },
  })
  const shown = (await client.get('users/profile/')).body['phone']
  expect((await client.patch('users/profile/', { phone: shown })).status).toBe(200)
  await confirm(client, person.password)
  expect((await client.patch('users/profile/', { phone })).status).toBe(200)
})
