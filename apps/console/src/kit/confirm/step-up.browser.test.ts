/** Saying again who one is, with a code that is sent. */
import { AccessKey } from '@sallyport/contract/resources/authentication'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const select = '/api/v1/authentication/mfa/select/'
const confirm = '/api/v1/authentication/confirm/'
let isConfirmed = false

const at = consolePage((fixture) => {
  isConfirmed = false
  fixture.profile.perms.push('authentication.view_accesskey', 'authentication.add_accesskey')
  serveRows(fixture, AccessKey, [])
  fixture.answers.set('POST /api/v1/authentication/access-keys/', () =>
    isConfirmed
      ? { status: 201, body: { id: 'key', secret: 'of the key' } }
      : { status: 400, body: { code: 'password', detail: 'Confirm first' } },
  )
  fixture.answers.set(`GET ${confirm}`, () => ({
    body: {
      confirm_type: 'mfa',
      content: ['otp', 'sms'].map((name) => ({
        name,
        disabled: false,
        display_name: name.toUpperCase(),
        placeholder: `Code of ${name}`,
      })),
    },
  }))
  fixture.answers.set(`POST ${confirm}`, () => {
    isConfirmed = true
    return { body: 'ok' }
  })
  fixture.answers.set(`POST ${select}`, ({ body }) => ({ status: 201, body }))
})

test('a code by SMS is sent at the press of a button, which then rests for 60 s', async () => {
  await at.page.clock.install()
  await at.open('/ui/profile/key')
  await at.button('Create').click()
  const proof = at.page.getByRole('dialog', { name: 'Verify Current User' })
  const send = proof.getByRole('button', { name: /^(Send verification code|Pending)/ })
  await proof.getByLabel('Code of otp').waitFor()
  expect(await send.count()).toBe(0)
  await proof.getByText('SMS', { exact: true }).click()
  await proof.getByLabel('Code of sms').waitFor()
  await send.click()
  // Time goes on while it is looked at.
  await proof.getByRole('button', { name: /^Pending: (60|5\d)$/ }).waitFor()
  expect(at.sentTo('POST', select)).toEqual({ type: 'sms' })
  expect(await send.isDisabled()).toBe(true)
  await at.page.clock.runFor(45_000)
  await proof.getByRole('button', { name: /^Pending: (1?\d)$/ }).waitFor()
  expect(await send.isDisabled()).toBe(true)
  await at.page.clock.runFor(15_000)
  await proof.getByRole('button', { name: 'Send verification code' }).waitFor()
  expect(await send.isEnabled()).toBe(true)

  await proof.getByLabel('Code of sms').fill('123456')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await proof.waitFor({ state: 'detached' })
  expect(at.sentTo('POST', confirm)).toMatchObject({ confirm_type: 'mfa', mfa_type: 'sms' })
})
