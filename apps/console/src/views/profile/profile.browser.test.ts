import { ConnectionToken } from '@sallyport/contract/resources/authentication'
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
