import { AccessKey, ConnectionToken } from '@sallyport/contract/resources/authentication'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const tokenId = '3d1c0000-0000-4000-8000-000000000001'
const at = consolePage(() => undefined)

test('a person ends his own connection token, whose value is never shown', async () => {
  const expired: string[] = []
  const token = { id: tokenId, value: 'Kq7-secret', account: 'root', protocol: 'ssh', is_expired: false }
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
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await at.page.getByRole('cell', { name: keyId }).waitFor()
  expect(await at.page.locator('main').textContent()).not.toContain(secret)
})
