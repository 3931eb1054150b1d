import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'

const state = { owed: null, beside: null as string | null, forgotten_needs_captcha: false }
let made = 0
const at = consolePage((fixture) => {
  fixture.isSignedIn = false
  Object.assign(state, { beside: null, forgotten_needs_captcha: false })
  made = 0
  fixture.answers.set('GET /api/v1/authentication/sign-in/', () => ({ body: state }))
  fixture.answers.set('GET /core/auth/captcha/refresh/', ({ headers }) => {
    expect(headers['x-requested-with']).toBe('XMLHttpRequest')
    made += 1
    const [image_url, audio_url] = ['image', 'audio'].map((kind) => `/core/auth/captcha/${kind}/key-${made}/`)
    return { body: { key: `key-${made}`, image_url, audio_url } }
  })
})
const enter = async (password: string) => {
  await at.page.getByLabel('Username').fill('ann')
  await at.page.getByLabel('Password', { exact: true }).fill(password)
  await at.button('Log in').click()
}
const sent = () => at.sentTo('POST', '/core/auth/login/')

test('after a failed login the digits of a picture are asked for, others each time, seen or heard', async () => {
  const refused = { status: 400, body: { error: 'password_failed', msg: 'Wrong username or password.' } }
  at.fixture.answers.set('POST /core/auth/login/', () => {
    state.beside = 'captcha'
    return refused
  })
  await at.open('/core/auth/login/')
  await enter('wrong')
  const picture = at.page.getByRole('img', { name: 'Picture of four digits' })
  await picture.waitFor()
  expect(await picture.getAttribute('src')).toBe('/core/auth/captcha/image/key-1/')
  expect(sent()).toEqual({ username: 'ann', password: 'wrong', auto_login: false })

  await enter('right')
  await at.page.getByText('Enter the digits of the picture.').waitFor()
  const digits = at.page.getByLabel('Digits in the picture')
  expect(await digits.evaluate((input) => input === document.activeElement)).toBe(true)
  await at.button('Another picture').click()
  await expect.poll(() => picture.getAttribute('src')).toBe('/core/auth/captcha/image/key-2/')
  await digits.fill('1234')
  await at.button('Log in').click()
  await expect.poll(() => picture.getAttribute('src')).toBe('/core/auth/captcha/image/key-3/')
  expect(sent()).toMatchObject({ captcha_0: 'key-2', captcha_1: '1234' })
  expect(await digits.inputValue()).toBe('')

  const heard = at.page.waitForRequest((request) => request.url().includes('/captcha/audio/key-3/'))
  await at.button('Listen').click()
  await heard
})

test.each([
  ['mfa', 'Code of the second factor', { code: '123456' }],
  ['challenge', 'Dynamic code', { challenge: '123456' }],
])(
  'with %s on the login page its code goes with name and password, or is left out',
  async (kind, label, given) => {
    state.beside = kind
    at.fixture.answers.set('POST /core/auth/login/', () => ({
      status: 400,
      body: { error: 'password_failed', msg: 'Wrong username or password.' },
    }))
    await at.open('/core/auth/login/')
    await at.page.getByLabel(label).waitFor()
    await enter('first')
    await at.page.getByText('Wrong username or password.').waitFor()
    expect(sent()).toEqual({ username: 'ann', password: 'first', auto_login: false })
    await at.page.getByLabel(label).fill(' 123456 ')
    await enter('second')
    await expect.poll(sent).toEqual({ username: 'ann', password: 'second', auto_login: false, ...given })
  },
)

test('who forgot the password answers a captcha first, and none for another code', async () => {
  state.forgotten_needs_captcha = true
  at.fixture.answers.set('POST /core/auth/password/forget/previewing/', () => ({
    body: { next: '/core/auth/password/forgot/?token=asked' },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/password/reset-code/', () => ({ body: { data: 'ok' } }))
  await at.open('/core/auth/password/forgot/')
  await at.page.getByLabel('Username').fill('ann')
  await at.page.getByLabel('E-mail address').fill('ann@example.com')
  await at.button('Send code').click()
  await at.page.getByText('Enter the digits of the picture.').waitFor()
  await at.page.getByLabel('Digits in the picture').fill('1234')
  await at.button('Send code').click()
  await at.page.getByText('If there is such an account').waitFor()
  expect(at.sentTo('POST', '/core/auth/password/forget/previewing/')).toEqual({
    username: 'ann',
    captcha_0: 'key-1',
    captcha_1: '1234',
  })
})
