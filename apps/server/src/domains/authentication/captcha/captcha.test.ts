import { expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../../testing.ts'
import { addPerson } from '../../../testing-people.ts'
import { heardIn } from '../../../testing-captcha.ts'

const system = await startTestSystem({ captcha: true })
const admin = await system.admin()
let addresses = 0
/** Failures count per address, so every test comes from its own. */
const stranger = () => system.client({ address: `10.5.0.${++addresses}` })

const xhr = { headers: { 'x-requested-with': 'XMLHttpRequest' } }
async function listen(client: TestClient): Promise<{ captcha_0: string; captcha_1: string }> {
  const { body } = await client.get('/core/auth/captcha/refresh/', xhr)
  const sound = await client.get(String(body['audio_url']))
  expect(sound).toMatchObject({ status: 200, headers: { 'content-type': 'audio/wav' } })
  return { captcha_0: String(body['key']), captcha_1: heardIn(sound.bytes) }
}
const asked = async (client: TestClient) => (await client.get('authentication/sign-in/')).body
const enter = async (client: TestClient, username: string, password: string, captcha = {}) =>
  await client.post('/core/auth/login/', { username, password, ...captcha })
const refused = { status: 400, body: { error: 'captcha_failed', msg: expect.stringContaining('digits') } }

async function failedOnce() {
  const person = await addPerson(system, admin)
  const client = stranger()
  expect(await asked(client)).toMatchObject({ beside: null })
  expect((await client.signIn(person.username, 'wrong')).body).toMatchObject({ error: 'password_failed' })
  expect(await asked(client)).toMatchObject({ beside: 'captcha' })
  return { client, ...person }
}

test('after a failed sign-in the page asks for the digits of a picture, which can be heard, too', async () => {
  const { client, username, password } = await failedOnce()
  expect(await enter(client, username, password)).toMatchObject(refused)
  const wrong = { ...(await listen(client)), captcha_1: '9999' }
  expect(await enter(client, username, password, wrong)).toMatchObject(refused)
  expect(await enter(client, username, password, await listen(client))).toMatchObject({ status: 200 })
})

test('an address where nobody failed, and a program, are asked for none', async () => {
  const { client, username, password } = await failedOnce()
  expect((await stranger().signIn(username, password)).status).toBe(200)
  const token = await client.post('authentication/auth/', { username, password })
  expect(token.status).toBe(201)
})

test('who has to choose a new password failed at nothing', async () => {
  const person = await addPerson(system, admin, { need_update_password: true })
  const client = stranger()
  expect((await client.signIn(person.username, person.password)).body).toMatchObject({
    error: 'need_update_password',
  })
  expect(await asked(client)).toMatchObject({ beside: null })
})

test('a captcha is good once, for the browser that asked for it, and while it is new', async () => {
  const { client, username, password } = await failedOnce()
  const once = await listen(client)
  expect((await enter(client, username, 'wrong', once)).body).toMatchObject({ error: 'password_failed' })
  expect(await enter(client, username, password, once)).toMatchObject(refused)

  const other = system.client({ address: `10.5.0.${addresses}` })
  await other.get('/core/auth/login/')
  expect(await enter(client, username, password, await listen(other))).toMatchObject(refused)

  const invented = { captcha_0: system.ground.secrets.seal('captcha 1234 0 x'), captcha_1: '1234' }
  expect(await enter(client, username, password, invented)).toMatchObject(refused)
  expect((await client.get(`/core/auth/captcha/image/${invented.captcha_0}/`)).status).toBe(404)
  expect((await client.get('/core/auth/captcha/image/anything/')).status).toBe(404)
})

test('a captcha is spent in whatever way its key is written', async () => {
  const { client, username } = await failedOnce()
  const once = await listen(client)
  expect((await enter(client, username, 'wrong', once)).body).toMatchObject({ error: 'password_failed' })
  for (const addition of ['=', '!', '~~', ' '])
    expect(
      await enter(client, username, 'wrong', { ...once, captcha_0: once.captcha_0 + addition }),
    ).toMatchObject(refused)
})

test('of many answers to one captcha at the same time one counts', async () => {
  const { client, username } = await failedOnce()
  const once = await listen(client)
  const answers = await Promise.all(Array.from({ length: 10 }, () => enter(client, username, 'wrong', once)))
  expect(answers.filter(({ body }) => String(body['error']) === 'password_failed')).toHaveLength(1)
})

test('a picture is a PNG, kept nowhere, and only a script of the page asks for a new one', async () => {
  const client = stranger()
  await client.get('/core/auth/login/')
  const { body } = await client.get('/core/auth/captcha/refresh/', xhr)
  const picture = await client.get(String(body['image_url']))
  expect(picture).toMatchObject({
    status: 200,
    headers: { 'content-type': 'image/png', 'cache-control': 'no-store' },
  })
  expect(picture.bytes.subarray(0, 8).toString('latin1')).toBe('\u0089PNG\r\n\u001A\n')
  expect((await client.get('/core/auth/captcha/refresh/')).status).toBe(404)
})

test('who forgot the password is asked for a captcha before a code is mailed', async () => {
  const client = stranger()
  await client.get('/core/auth/login/')
  expect(await asked(client)).toMatchObject({ forgotten_needs_captcha: true })
  const begin = (captcha = {}) =>
    client.post('/core/auth/password/forget/previewing/', { username: 'anybody', ...captcha })
  expect(await begin()).toMatchObject({ status: 400, body: { error: expect.stringContaining('digits') } })
  expect(await begin(await listen(client))).toMatchObject({
    status: 200,
    body: { next: expect.stringContaining('/forgot/') },
  })
})

test('what is asked for beside the password is one thing: with MFA on the page no captcha is', async () => {
  const { client, username, password } = await failedOnce()
  const page = 'settings/setting/?category=security'
  await admin.patch(page, { SECURITY_MFA_AUTH: 1, SECURITY_MFA_IN_LOGIN_PAGE: true })
  expect(await asked(client)).toMatchObject({ beside: 'mfa', forgotten_needs_captcha: false })
  expect((await enter(client, username, password)).body).toMatchObject({ error: 'mfa_unset' })
  await admin.patch(page, { SECURITY_MFA_AUTH: 0, SECURITY_LOGIN_CHALLENGE_ENABLED: true })
  expect(await asked(client)).toMatchObject({ beside: 'challenge' })
  // What is typed there goes after the password.
  const half = Math.ceil(password.length / 2)
  const [first, rest] = [password.slice(0, half), password.slice(half)]
  expect((await enter(client, username, first, { challenge: rest })).status).toBe(200)
  await admin.patch(page, { SECURITY_LOGIN_CAPTCHA_ENABLED: true })
})
