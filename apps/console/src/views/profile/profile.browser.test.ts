import { ConnectionToken } from '@sallyport/contract/resources/authentication'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../testing/browser.ts'
import { builtFolder } from '../../testing/built-folder.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { type Fixture, startFixture } from '../../testing/fixture-server.ts'

const tokenId = '3d1c0000-0000-4000-8000-000000000001'

let browser: Browser
let fixture: Fixture

beforeAll(async () => {
  ;[browser, fixture] = await Promise.all([launchBrowser(), startFixture(builtFolder())])
})

afterAll(async () => {
  await browser.close()
  await fixture.close()
})

test('a person ends his own connection token, whose value is never shown', async () => {
  const expired: string[] = []
  const token = { id: tokenId, value: 'Kq7-secret', account: 'root', protocol: 'ssh', is_expired: false }
  serveRows(fixture, ConnectionToken, [token])
  fixture.answers.set(`PATCH /api/v1/authentication/connection-token/${tokenId}/expire/`, ({ path }) => {
    expired.push(path)
    token.is_expired = true
    return { body: token }
  })
  fixture.isSignedIn = true
  fixture.profile.perms.push('authentication.change_connectiontoken')

  const page = await browser.newPage({ locale: 'en-GB' })
  page.setDefaultTimeout(10_000)
  await page.context().addCookies([{ name: 'jms_session_expire', value: 'age', url: fixture.origin }])
  await page.goto(`${fixture.origin}/ui/workbench`)
  await page.getByRole('button', { name: 'Account of Ann Admin' }).click()
  await page.getByRole('menuitem', { name: 'Connection tokens' }).click()
  await page.getByRole('cell', { name: tokenId }).waitFor()
  expect(await page.locator('main').textContent()).not.toContain('Kq7-secret')

  await page.getByRole('button', { name: 'Expire', exact: true }).click()
  await page.getByText('The token is no longer valid').waitFor()
  expect(expired).toHaveLength(1)
  await expect.poll(() => page.getByRole('button', { name: 'Expire', exact: true }).isDisabled()).toBe(true)
})
