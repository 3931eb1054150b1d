/** A code by e-mail as second factor, where the platform has it. */
import { beforeAll, expect, test, vi } from 'vitest'
import { startTestSystem, type TestClient } from '../../../testing.ts'
import { settingsOf, startMailServer } from '../../../testing-mail.ts'
import { addPerson } from '../../../testing-people.ts'
import { createSettings } from '../../settings/index.ts'
import { codeOf, stepAt } from './totp.ts'

const system = await startTestSystem()
const post = await startMailServer()
let admin: TestClient
beforeAll(async () => {
  admin = await system.admin()
  await createSettings(system.ground).store(system.database.db, {
    ...settingsOf(post),
    SECURITY_MFA_BY_EMAIL: true,
  })
})

const mailedTo = async (address: string) => {
  await vi.waitFor(() => expect(post.mails.some(({ to }) => to.includes(address))).toBe(true), 20_000)
  return /\b\d{6}\b/.exec(post.mails.findLast(({ to }) => to.includes(address))?.text ?? '')?.[0] ?? ''
}

test('a code is mailed to whoever is on the way in, is good once, and another has to wait', async () => {
  const person = await addPerson(system, admin, { mfa_level: 2, email: 'mailed@example.com' })
  const client = system.client()
  const begun = await client.signIn(person.username, person.password)
  expect(begun.body).toMatchObject({ error: 'mfa_required', data: { choices: ['email'] } })
  const select = () => client.post('authentication/mfa/select/', { type: 'email' })
  expect(await select()).toMatchObject({ status: 201, body: { type: 'email' } })
  expect(await select()).toMatchObject({ status: 400, body: { error: expect.stringMatching(/Wait/) } })
  const code = await mailedTo('mailed@example.com')
  const answer = (given: string) => client.post('/core/auth/login/mfa/', { code: given, mfa_type: 'email' })
  expect((await answer(code === '111111' ? '222222' : '111111')).body).toMatchObject({ error: 'mfa_failed' })
  expect((await answer(code)).status).toBe(200)
  const again = system.client()
  await again.signIn(person.username, person.password)
  const used = await again.post('/core/auth/login/mfa/', { code, mfa_type: 'email' })
  expect(used).toMatchObject({ status: 400, body: { error: 'mfa_failed' } })
})

test('no code goes to somebody by their name alone', async () => {
  const person = await addPerson(system, admin, { mfa_level: 2, email: 'nobody-asked@example.com' })
  const stranger = await system.client().post('authentication/mfa/select/', {
    type: 'email',
    username: person.username,
  })
  expect(stranger).toMatchObject({ status: 400, body: { error: 'session_empty' } })
  expect(post.mails.filter(({ to }) => to.includes('nobody-asked@example.com'))).toEqual([])
})

test('who has an app or a passkey is mailed no code: the mailbox, which gives new passwords, is not both factors', async () => {
  const store = (sql: string, id: string) => system.database.pool.query(sql, [id])
  const withApp = await addPerson(system, admin, { mfa_level: 2, email: 'app@example.com' })
  await store(`update users set otp_secret = 'sealed' where id = $1`, withApp.id)
  const withPasskey = await addPerson(system, admin, { mfa_level: 2, email: 'passkey@example.com' })
  await store(
    `insert into passkeys (user_id, name, credential_id, public_key) values ($1, 'phone', 'phone-1', 'key')`,
    withPasskey.id,
  )
  for (const [person, choice] of [
    [withApp, 'otp'],
    [withPasskey, 'passkey'],
  ] as const) {
    const client = system.client()
    const begun = await client.signIn(person.username, person.password)
    expect(begun.body).toMatchObject({ error: 'mfa_required', data: { choices: [choice] } })
    expect((await client.post('authentication/mfa/select/', { type: 'email' })).status).toBe(400)
    const answered = await client.post('/core/auth/login/mfa/', { code: '123456', mfa_type: 'email' })
    expect(answered.status).toBe(400)
  }
})

test('whose factor is the mail confirms with a mailed code, and the password is not enough', async () => {
  const person = await addPerson(system, admin, { email: 'confirming@example.com' })
  const client = await person.signedIn()
  await system.database.pool.query('update users set mfa_level = 1 where id = $1', [person.id])
  const confirm = (given: Record<string, string>) => client.post('authentication/confirm/', given)
  expect((await client.get('authentication/confirm/?confirm_type=password')).body).toMatchObject({
    confirm_type: 'mfa',
    content: [{ name: 'email' }],
  })
  expect((await confirm({ confirm_type: 'password', secret_key: person.password })).status).toBe(400)
  expect(await client.post('authentication/access-keys/')).toMatchObject({
    status: 400,
    body: { code: 'mfa' },
  })
  expect((await client.post('authentication/mfa/select/', { type: 'email' })).status).toBe(201)
  const code = await mailedTo('confirming@example.com')
  expect((await confirm({ confirm_type: 'mfa', mfa_type: 'email', secret_key: code })).status).toBe(200)
  expect((await client.post('authentication/access-keys/')).status).toBe(201)
})

test('a person is told of an app, recovery codes and passkeys that come and go', async () => {
  const address = 'told@example.com'
  const person = await addPerson(system, admin, { email: address })
  const client = await person.signedIn()
  const told = async (subject: string) => {
    const mail = () => post.mails.find((one) => one.to.includes(address) && one.subject.includes(subject))
    await vi.waitFor(() => expect(mail()).toBeDefined(), 20_000)
    expect(mail()?.text).toContain(person.username)
    expect(mail()?.text).toContain('tell an administrator')
  }
  await client.post('authentication/confirm/', { confirm_type: 'password', secret_key: person.password })
  const { rows } = await system.database.pool.query<{ id: string }>(
    `insert into passkeys (user_id, name, credential_id, public_key) values ($1, 'phone', 'phone-2', 'key') returning id`,
    [person.id],
  )
  expect((await client.delete(`authentication/passkeys/${rows[0]?.id}/`)).status).toBe(204)
  await told('Passkey removed')
  const secret = String((await client.post('authentication/mfa/otp/start/')).body['secret'])
  const code = (ahead: number) => codeOf(secret, stepAt(Date.now()) + ahead)
  expect((await client.post('authentication/mfa/otp/bind/', { code: code(-1) })).status).toBe(200)
  await told('Authenticator app set up')
  const confirmed = { confirm_type: 'mfa', mfa_type: 'otp', secret_key: code(0) }
  expect((await client.patch('users/profile/', { mfa_level: 1 })).status).toBe(200)
  expect((await client.post('authentication/confirm/', confirmed)).status).toBe(200)
  expect((await client.post('authentication/mfa/otp/recovery-codes/')).status).toBe(200)
  await told('New recovery codes')
  expect((await client.post('authentication/mfa/otp/disable/', { code: code(1) })).status).toBe(204)
  await told('Authenticator app removed')
})
