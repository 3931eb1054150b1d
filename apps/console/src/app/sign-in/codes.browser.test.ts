/** Codes that are sent to whoever is on the way in. */
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'

const select = '/api/v1/authentication/mfa/select/'
const answer = '/core/auth/login/mfa/'
let choices: string[] = []
const at = consolePage((fixture) => {
  fixture.isSignedIn = false
  choices = ['otp', 'sms']
  fixture.answers.set('GET /api/v1/authentication/sign-in/', () => ({
    body: {
      owed: { error: 'mfa_required', msg: 'MFA required', data: { choices } },
      beside: null,
      forgotten_needs_captcha: false,
    },
  }))
  fixture.answers.set(`POST ${select}`, ({ body }) => ({ status: 201, body }))
  fixture.answers.set(`POST ${answer}`, () => ({
    status: 400,
    body: { error: 'mfa_failed', msg: 'The code is wrong.' },
  }))
})

test('a code by SMS is sent at the press of a button, which then rests for 60 s', async () => {
  await at.page.clock.install()
  await at.open(answer)
  await at.page.getByText('authenticator app').first().waitFor()
  await at.button('Send a code by SMS').click()
  await at.page.getByText('Enter the code that was sent to your phone.').waitFor()
  expect(at.sentTo('POST', select)).toEqual({ type: 'sms' })
  const resting = at.page.getByRole('button', { name: /^Another code in (60|5\d) s$/ })
  expect(await resting.isDisabled()).toBe(true)
  await at.page.clock.runFor(60_000)
  await at.button('Send a code by SMS').waitFor()
  expect(await at.button('Send a code by SMS').isEnabled()).toBe(true)

  await at.page.getByLabel('Code', { exact: true }).fill('123456')
  await at.page.getByLabel('Code', { exact: true }).press('Enter')
  await at.page.getByText('The code is wrong.').waitFor()
  expect(at.sentTo('POST', answer)).toEqual({ code: '123456', mfa_type: 'sms' })
  await at.button('Use the authenticator app').click()
  await at.page.getByLabel('Code', { exact: true }).fill('654321')
  await at.page.getByLabel('Code', { exact: true }).press('Enter')
  await expect.poll(() => at.sentTo('POST', answer)).toEqual({ code: '654321', mfa_type: 'otp' })
})

test('who cannot be sent another code yet is told so, and enters the one there is', async () => {
  choices = ['sms']
  at.fixture.answers.set(`POST ${select}`, () => ({
    status: 400,
    body: { error: 'A code was sent already. Wait 42 seconds before the next.' },
  }))
  await at.open(answer)
  await at.button('Send a code by SMS').click()
  await at.page.getByText('Wait 42 seconds').waitFor()
  await at.page.getByLabel('Code', { exact: true }).fill('123456')
  await at.page.getByLabel('Code', { exact: true }).press('Enter')
  await at.page.getByText('The code is wrong.').waitFor()
})
