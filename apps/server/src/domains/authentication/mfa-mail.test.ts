/** A code by e-mail as second factor, where the platform has it. */
import { beforeAll, expect, test, vi } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { settingsOf, startMailServer } from '../../testing-mail.ts'
import { addPerson } from '../../testing-people.ts'
import { createSettings } from '../settings/index.ts'

const system = await startTestSystem()
const post = await startMailServer()
let admin: TestClient
beforeAll(async () => {
  admin = await system.admin()
  await admin.patch('settings/setting/?category=email', settingsOf(post))
  await createSettings(system.ground).store(system.database.db, { SECURITY_MFA_BY_EMAIL: true })
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
