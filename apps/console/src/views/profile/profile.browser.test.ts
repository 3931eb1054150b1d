import { AccessKey, ConnectionToken } from '@sallyport/contract/resources/authentication'
import { TempToken } from '@sallyport/contract/resources/temp-tokens'
import { Profile } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveOne, serveRows } from '../../testing/fixture-rows.ts'

const tokenId = '3d1c0000-0000-4000-8000-000000000001'
const at = consolePage(() => undefined)

test('a person ends his own connection token, whose value is never shown', async () => {
  const expired: string[] = []
  const token = {
    id: tokenId,
    value: 'Kq7-secret',
    account: 'root',
    protocol: 'ssh',
    connect_method: 'web_cli',
    is_expired: false,
  }
  at.fixture.answers.set('GET /api/v1/terminal/components/connect-methods/', () => ({
    body: { ssh: [{ value: 'web_cli', label: 'Web CLI' }] },
  }))
  serveRows(at.fixture, ConnectionToken, [token])
  at.fixture.answers.set(`PATCH /api/v1/authentication/connection-token/${tokenId}/expire/`, ({ path }) => {
    expired.push(path)
    token.is_expired = true
    return { body: token }
  })
  at.fixture.profile.perms.push('authentication.change_connectiontoken')

  await at.open('/ui/workbench')
  await at.page.getByRole('button', { name: 'Account of Ann Admin' }).click()
  await at.page.getByRole('menuitem', { name: 'Connection tokens' }).click()
  await at.page.getByRole('cell', { name: tokenId }).waitFor()
  expect(await at.page.locator('main').textContent()).not.toContain('Kq7-secret')
  await at.page.getByRole('cell', { name: 'Web CLI' }).waitFor()

  await at.page.getByRole('button', { name: 'Expire', exact: true }).click()
  await at.page.getByText('The connection token is no longer valid').waitFor()
  expect(expired).toHaveLength(1)
  await expect
    .poll(() => at.page.getByRole('button', { name: 'Expire', exact: true }).isDisabled())
    .toBe(true)
})

test('the secret of a new API key is shown once, to be copied, and not in the list', async () => {
  const keyId = '3d1c0000-0000-4000-8000-000000000002'
  const secret = '7a0c0000-0000-4000-8000-00000000cafe'
  const keys: { id: string; is_active: boolean; date_created: string }[] = []
  serveRows(at.fixture, AccessKey, keys)
  at.fixture.answers.set('POST /api/v1/authentication/access-keys/', () => {
    const key = { id: keyId, is_active: true, date_created: '2026/11/22 10:00:00 +0000' }
    keys.push(key)
    return { status: 201, body: { ...key, secret } }
  })
  const access = ['view', 'add', 'change', 'delete'].map((verb) => `authentication.${verb}_accesskey`)
  at.fixture.profile.perms.push(...access)

  await at.open('/ui/profile/key')
  await at.button('Create').click()
  const dialog = at.page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByText(keyId).waitFor()
  expect(await dialog.textContent()).not.toContain(secret)
  await dialog.getByRole('button', { name: 'Show' }).click()
  await dialog.getByText(secret).waitFor()
  await at.page.keyboard.press('Escape')
  const question = at.page.getByRole('dialog', { name: 'Close this without keeping it?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  const asked = at.page.waitForEvent('dialog')
  await at.page.evaluate(() => void setTimeout(() => location.reload()))
  await (await asked).dismiss()
  await dialog.getByText(secret).waitFor()
  const close = dialog.getByRole('button', { name: 'Close' }).last()
  expect(await close.isDisabled()).toBe(true)
  await dialog.getByRole('checkbox', { name: 'I have kept the secret key' }).check()
  await close.click()
  await at.page.getByRole('cell', { name: keyId }).waitFor()
  expect(await at.page.locator('main').textContent()).not.toContain(secret)
})

/** An authenticator app that can be set up; what the server says of it. */
function serveApp({ isEnabled }: { isEnabled: boolean }) {
  const state = { is_bound: false, is_enabled: isEnabled, is_forced: false, recovery_codes_left: 0 }
  const mfa = '/api/v1/authentication/mfa/otp'
  at.fixture.answers.set(`GET ${mfa}/`, () => ({ body: state }))
  at.fixture.answers.set(`POST ${mfa}/start/`, () => ({
    body: { secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Sallyport:ann?secret=JBSWY3DPEHPK3PXP' },
  }))
  at.fixture.answers.set(`POST ${mfa}/bind/`, () => {
    Object.assign(state, { is_bound: true, recovery_codes_left: 1 })
    return { body: { recovery_codes: ['abcd-efgh-1234'] } }
  })
  for (const own of ['passkeys', 'user-sessions'])
    at.fixture.answers.set(`GET /api/v1/authentication/${own}/`, () => ({ body: [] }))
  return state
}

test('a person sets up an authenticator app and sees the recovery codes once', async () => {
  const state = serveApp({ isEnabled: false })
  at.fixture.answers.set('PATCH /api/v1/users/profile/', ({ body }) => {
    state.is_enabled = (body as { mfa_level: number }).mfa_level > 0
    return { body: {} }
  })
  await at.open('/ui/profile/login-security')
  await at.page.getByText('No code is asked for').waitFor()
  await at.button('Set up the app').click()
  const dialog = at.page.getByRole('dialog', { name: 'Set up the app' })
  await dialog.getByRole('button', { name: 'Show the QR code' }).click()
  await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  await dialog.getByRole('textbox').fill('123456')
  await dialog
    .getByRole('button', { name: /confirm|bind|set up/iu })
    .last()
    .click()
  await dialog.getByText('abcd-efgh-1234').waitFor()
  await dialog.getByRole('button', { name: 'Copy' }).waitFor()
  const file = at.page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download' }).click()
  expect((await file).suggestedFilename()).toBe('recovery-codes.txt')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await at.page.getByText('A code is asked for').waitFor()
  await at.button('Remove the app').waitFor()
  await at.button('Stop asking for a code').click()
  await at.page.getByText('No code is asked for').waitFor()
  await at.button('Ask for a code at login').click()
  await at.page.getByText('A code is asked for').waitFor()
})

test('an app is set up although the recovery codes are closed unseen', async () => {
  serveApp({ isEnabled: true })
  await at.open('/ui/profile/login-security')
  await at.button('Set up the app').click()
  await at.button('Show the QR code').click()
  await at.page.getByRole('dialog').getByRole('textbox').fill('123456')
  await at.page.keyboard.press('Enter')
  await at.page.getByText('abcd-efgh-1234').waitFor()
  await at.page.keyboard.press('Escape')
  const question = at.page.getByRole('dialog', { name: 'Close this without keeping it?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await at.page.getByText('abcd-efgh-1234').waitFor()
  await at.page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Close' }).last().click()
  await at.button('Remove the app').waitFor()
})

test('who is asked for a code without having an app stops that, unless it is required', async () => {
  const state = serveApp({ isEnabled: true })
  at.fixture.answers.set('PATCH /api/v1/users/profile/', ({ body }) => {
    state.is_enabled = (body as { mfa_level: number }).mfa_level > 0
    return { body: {} }
  })
  await at.open('/ui/profile/login-security')
  await at.button('Stop asking for a code').click()
  await at.page.getByText('No code is asked for').waitFor()
  expect(at.sentTo('PATCH', '/api/v1/users/profile/')).toEqual({ mfa_level: 0 })
  await at.button('Set up the app').waitFor()
  expect(await at.page.getByRole('button', { name: /code/u }).count()).toBe(0)
  Object.assign(state, { is_enabled: true, is_forced: true })
  await at.page.reload()
  await at.page.getByText('as an administrator requires').waitFor()
  expect(await at.page.getByRole('button', { name: /code/u }).count()).toBe(0)
})

test('where the page is opened by an address no passkey is offered, and the page says what passkeys need', async () => {
  for (const own of ['passkeys', 'user-sessions'])
    at.fixture.answers.set(`GET /api/v1/authentication/${own}/`, () => ({ body: [] }))
  at.fixture.answers.set('GET /api/v1/authentication/mfa/otp/', () => ({
    body: { is_bound: false, is_enabled: false, is_forced: false, recovery_codes_left: 0 },
  }))
  await at.open('/ui/profile/login-security')
  await at.page.getByText('Passkeys need a name').waitFor()
  expect(await at.button('Add a passkey').count()).toBe(0)
})

test('a logged-in browser is called by its name, and what it says of itself in full is a tooltip', async () => {
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
  const date = '2026/11/22 10:00:00 +0000'
  at.fixture.answers.set('GET /api/v1/authentication/passkeys/', () => ({ body: [] }))
  at.fixture.answers.set('GET /api/v1/authentication/user-sessions/', () => ({
    body: [
      {
        id: tokenId,
        remote_addr: '10.0.0.9',
        user_agent: userAgent,
        date_created: date,
        date_last_used: date,
        is_current: true,
      },
    ],
  }))
  at.fixture.answers.set('GET /api/v1/authentication/mfa/otp/', () => ({
    body: { is_bound: false, is_enabled: false, is_forced: false, recovery_codes_left: 0 },
  }))
  await at.open('/ui/profile/login-security')
  const name = at.page.getByText('Chrome on Linux', { exact: true })
  await name.hover()
  await at.page.getByRole('tooltip', { name: userAgent }).or(at.page.getByText(userAgent)).first().waitFor()
})

test('who changes the own password sees the rules for it, and which of them are met', async () => {
  await at.open('/ui/profile/setting?activeTab=PasswordUpdate')
  const password = at.page.getByLabel('New password', { exact: true })
  await password.waitFor()
  const rules = async () =>
    await at.page
      .locator('[data-met]')
      .evaluateAll((all) => all.map((one) => [one.textContent, (one as HTMLElement).dataset['met']]))
  expect(await rules()).toEqual([
    ['·At least 12 characters', 'false'],
    ['·An uppercase letter', 'false'],
  ])
  await password.fill('Abc')
  await expect.poll(rules).toEqual([
    ['·At least 12 characters', 'false'],
    ['✓An uppercase lettermet', 'true'],
  ])
  const described = await password.getAttribute('aria-describedby')
  expect(await at.page.locator(`[id="${described}"]`).textContent()).toContain('An uppercase letter')
})

test('temporary passwords have their page where the platform has them', async () => {
  const rows: Record<string, unknown>[] = []
  serveRows(at.fixture, TempToken, rows as never)
  const path = '/api/v1/authentication/temp-tokens/'
  at.fixture.answers.set(`POST ${path}`, () => {
    const made = { id: tokenId, username: 'ann', secret: 'once-only-9', is_valid: true, date_verified: null }
    rows.push(made)
    return { status: 201, body: made }
  })
  at.fixture.profile.perms.push('authentication.view_temptoken', 'authentication.add_temptoken')
  const offered = at.page.getByRole('menuitem', { name: 'Temporary passwords' })
  await at.open('/ui/profile/info')
  await at.page.getByRole('button', { name: 'Account of Ann Admin' }).click()
  await at.page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  expect(await offered.count()).toBe(0)
  at.fixture.settings.AUTH_TEMP_TOKEN = true
  await at.open('/ui/profile/info')
  await at.page.getByRole('button', { name: 'Account of Ann Admin' }).click()
  await offered.click()
  await at.button('Create').click()
  await at.page.getByRole('button', { name: 'Show' }).click()
  await at.page.getByText('once-only-9').waitFor()
})

test('a recovery code confirms who one is, in the place of a code of the app', async () => {
  let isConfirmed = false
  serveRows(at.fixture, AccessKey, [])
  at.fixture.answers.set('POST /api/v1/authentication/access-keys/', () =>
    isConfirmed
      ? { status: 201, body: { id: tokenId, is_active: true, secret: 'a-new-secret' } }
      : { status: 400, body: { code: 'mfa', detail: 'This action require confirm current user' } },
  )
  const otp = { name: 'otp', disabled: false, display_name: 'OTP', placeholder: 'OTP verification code' }
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: { confirm_type: 'mfa', content: [otp] },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/confirm/', () => {
    isConfirmed = true
    return { body: 'ok' }
  })
  at.fixture.profile.perms.push('authentication.view_accesskey', 'authentication.add_accesskey')
  await at.open('/ui/profile/key')
  await at.button('Create').click()
  const typed = at.page.getByPlaceholder('OTP verification code')
  await at.page.getByText('The code of your app, or one of your recovery codes.').waitFor()
  for (const wrong of ['12345', '1234567']) {
    await typed.fill(wrong)
    await at.button('Confirm').click()
    await at.page.getByText('MFA error, please check').waitFor()
    expect(isConfirmed, wrong).toBe(false)
  }
  await typed.fill('abcd-efgh-2345-6723')
  await at.button('Confirm').click()
  await at.page.getByRole('dialog', { name: 'New API key' }).waitFor()
  expect(isConfirmed).toBe(true)
})

test('a confirmation masks the password, and stays with the reason when it was wrong', async () => {
  serveRows(at.fixture, AccessKey, [])
  at.fixture.answers.set('POST /api/v1/authentication/access-keys/', () => ({
    status: 400,
    body: { code: 'password', detail: 'This action require confirm current user' },
  }))
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: { confirm_type: 'password', content: '' },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/confirm/', () => ({
    status: 400,
    body: { error: 'The password is not correct.' },
  }))
  at.fixture.profile.perms.push('authentication.view_accesskey', 'authentication.add_accesskey')
  await at.open('/ui/profile/key')
  await at.button('Create').click()
  const dialog = at.page.getByRole('dialog', { name: 'Verify Current User' })
  const typed = dialog.getByLabel('Password', { exact: true })
  expect(await typed.getAttribute('type')).toBe('password')
  await typed.fill('guess')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('The password is not correct.').waitFor()
})

test('whoever has to log in again is told so, and led back afterwards', async () => {
  serveRows(at.fixture, AccessKey, [])
  at.fixture.answers.set('POST /api/v1/authentication/access-keys/', () => ({
    status: 400,
    body: { code: 'relogin', detail: 'This action require confirm current user' },
  }))
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: { confirm_type: 'relogin', content: '' },
  }))
  const confirm = '/api/v1/authentication/confirm/'
  at.fixture.answers.set(`POST ${confirm}`, () => ({
    status: 400,
    body: { error: 'More than 5 minutes ago' },
  }))
  at.fixture.profile.perms.push('authentication.view_accesskey', 'authentication.add_accesskey')
  await at.open('/ui/profile/key')
  await at.button('Create').click()
  const dialog = at.page.getByRole('dialog', { name: 'Log in again' })
  await dialog.getByText('you must have logged in within the last 5 minutes').waitFor()
  expect(at.sentTo('POST', confirm)).toEqual({ confirm_type: 'relogin', secret_key: '' })
  const again = dialog.getByRole('link', { name: 'Log in again' })
  expect(await again.getAttribute('href')).toBe('/core/auth/logout/?next=%2Fui%2Fprofile%2Fkey')
})

test('what files with secrets are encrypted with is set twice the same, and is shown nowhere', async () => {
  const path = '/api/v1/users/profile/secret-key/'
  at.fixture.answers.set(`PUT ${path}`, () => ({ body: {} }))
  await at.open('/ui/profile/setting?tab=SecretKeyUpdate')
  await at.page.getByRole('tab', { name: 'File encryption password' }).click()
  const [first, again] = [at.page.getByLabel('New password', { exact: true }), at.page.getByLabel(/again/iu)]
  await first.fill('For-my-files-1')
  await again.fill('For-my-files-2')
  await at.button('Submit').click()
  await at.page.getByText('The two passwords are not the same.').waitFor()
  await again.fill('For-my-files-1')
  await at.button('Submit').click()
  await expect.poll(() => first.inputValue()).toBe('')
  expect(Object.keys(at.sentTo('PUT', path) as object)).toEqual(['new_secret_key', 'new_secret_key_again'])
})

test('at the first login one chooses whether a second factor is asked for, unless one must', async () => {
  serveOne(at.fixture, Profile, { ...at.fixture.profile, mfa_level: { value: 0, label: 'Off' } })
  await at.open('/ui/profile/improvement')
  await at.page.getByText('When it is enabled, you set up').waitFor()
  await at.page.getByRole('radio', { name: 'On', exact: true }).check()
  expect(await at.page.getByRole('radio', { name: 'Required' }).isDisabled()).toBe(true)
  expect(await at.page.getByLabel('Comment').count()).toBe(0)
  await at.page.getByLabel('Terms').check()
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('PATCH', '/api/v1/users/profile/'))
    .toMatchObject({ mfa_level: 1, is_first_login: false })
  const forced = { ...at.fixture.profile, mfa_force_enabled: true }
  at.fixture.answers.set('GET /api/v1/users/profile/', () => ({ body: forced }))
  await at.open('/ui/profile/improvement')
  await at.page.getByLabel('Terms').waitFor()
  expect(await at.page.getByRole('radio', { name: 'On', exact: true }).count()).toBe(0)
})

test('the page of the first login leads on to the terminal of who came from there', async () => {
  serveOne(at.fixture, Profile, { ...at.fixture.profile, mfa_level: { value: 0, label: 'Off' } })
  await at.open('/ui/profile/improvement?next=%2Fluna%2Fconnect%3Flogin_to%3Da1')
  await at.page.getByLabel('Terms').check()
  await at.button('Submit').click()
  await at.page.waitForURL((url) => `${url.pathname}${url.search}` === '/luna/connect?login_to=a1')
})
