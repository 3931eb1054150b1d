import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'

const at = consolePage((fixture) => {
  fixture.isSignedIn = false
  const to = (step: string, token: string) => ({
    body: { next: `/core/auth/password/${step}/?token=${token}` },
  })
  fixture.answers.set('POST /core/auth/password/forget/previewing/', () => to('forgot', 'asked'))
  fixture.answers.set('POST /api/v1/authentication/password/reset-code/', () => ({ body: { data: 'ok' } }))
  fixture.answers.set('POST /core/auth/password/forgot/', ({ body }) =>
    (body as { code: string }).code === '123456'
      ? to('reset', 'proven')
      : { status: 400, body: { error: 'The code is wrong or has expired.' } },
  )
  fixture.answers.set('POST /core/auth/password/reset/', ({ query, body }) =>
    query.get('token') !== 'proven'
      ? { status: 400, body: { error: 'This link is no longer good.' } }
      : (body as { new_password: string }).new_password.length < 8
        ? { status: 400, body: { new_password: ['Too short.'] } }
        : { body: { next: '/core/auth/login/' } },
  )
})

test('who forgot the password sets another with a code from the mailbox', async () => {
  await at.open('/core/auth/login/')
  expect(await at.page.getByRole('link', { name: 'Forgot password' }).getAttribute('href')).toBe(
    '/core/auth/password/forget/previewing/',
  )
  await at.open('/core/auth/password/forgot/')
  await at.button('Send code').click()
  await at.page.getByText('Enter your username and e-mail address.').waitFor()
  await at.page.getByLabel('Username').fill('ann')
  await at.page.getByLabel('E-mail address').fill('ann@example.com')
  await at.button('Send code').click()
  await at.page.getByText('If there is such an account').waitFor()
  expect(await at.page.getByRole('button', { name: /^Send another code in/ }).isDisabled()).toBe(true)
  await at.page.getByLabel('Code').fill('000000')
  await at.button('Go on').click()
  await at.page.getByText('The code is wrong or has expired.').waitFor()
  await at.page.getByLabel('Code').fill('123456')
  await at.button('Go on').click()
  const [first, again] = [at.page.getByLabel('New password', { exact: true }), at.page.getByLabel(/again/i)]
  await first.fill('short')
  await again.fill('shorter')
  await at.button('Set password').click()
  await again.fill('short')
  await at.button('Set password').click()
  await at.page.getByText('Too short.').waitFor()
  await first.fill('Another-password-9')
  await again.fill('Another-password-9')
  await at.button('Set password').click()
  await at.page.getByText('The new password is set.').waitFor()
  expect(at.sentTo('POST', '/api/v1/authentication/password/reset-code/')).toEqual({
    form_type: 'email',
    email: 'ann@example.com',
  })
})

test('a link that is no longer good says so', async () => {
  await at.open('/core/auth/password/reset/?token=old')
  await at.page.getByLabel('New password', { exact: true }).fill('Another-password-9')
  await at.page.getByLabel(/again/i).fill('Another-password-9')
  await at.button('Set password').click()
  await at.page.getByText('This link is no longer good.').waitFor()
})
