import { Session } from '@sallyport/contract/resources/terminal'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../testing/browser.ts'
import { builtFolder } from '../../testing/built-folder.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { type Fixture, organizations, startFixture } from '../../testing/fixture-server.ts'

const timeoutMs = 60_000
const { plant, standard } = organizations

let browser: Browser
let fixture: Fixture
let page: Page

beforeAll(async () => {
  browser = await launchBrowser()
}, timeoutMs)

afterAll(async () => {
  await browser.close()
})

beforeEach(async () => {
  fixture = await startFixture(builtFolder())
  fixture.isSignedIn = true
  fixture.profile.perms.push('users.change_usergroup', 'terminal.view_sessionreplay')
  const id = (index: number) => `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`
  serveRows(fixture, UserGroup, [{ id: id(0), name: 'Databases', users: [], users_amount: 0, comment: '' }])
  serveRows(fixture, User, [])
  serveRows(
    fixture,
    Session,
    Array.from({ length: 37 }, (_, index) => ({
      id: id(index),
      user: `Person ${String(index).padStart(2, '0')}`,
      asset: 'web-01',
      account: 'root(root)',
      protocol: 'ssh',
      date_start: '2026/03/01 10:00:00 +0000',
      date_end: '2026/03/01 11:00:00 +0000',
      is_finished: true,
    })),
  )
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1600, height: 900 } })
  context.setDefaultTimeout(15_000)
  await context.addInitScript("localStorage.setItem('viewSwitcherTip', '1')")
  await context.addCookies([
    { name: 'jms_session_expire', value: 'age', url: fixture.origin },
    { name: 'X-JMS-ORG', value: standard.id, url: fixture.origin },
  ])
  page = await context.newPage()
}, timeoutMs)

afterEach(async () => {
  await page.context().close()
  await fixture.close()
})

const open = (address: string) => page.goto(`${fixture.origin}${address}`)
const address = () => new URL(page.url())
/** The organizations rows were asked for in. */
const organizationsAsked = (path: string) =>
  new Set(
    fixture.requests
      .filter((request) => request.path.startsWith(path))
      .map(({ headers }) => headers['x-jms-org']),
  )

test(
  'an address that names an organization keeps it through links, forms, tabs and Back',
  async () => {
    await open(`/ui/console/users/groups?oid=${plant.id}`)
    await page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
    await page.getByRole('link', { name: 'Databases' }).click()
    await page.getByRole('heading', { name: 'User group: Databases' }).waitFor()
    expect(address().searchParams.get('oid')).toBe(plant.id)
    await page.getByRole('tab').first().click()
    expect(address().searchParams.get('oid')).toBe(plant.id)
    await page.getByRole('button', { name: 'Update' }).click()
    await page.getByLabel('Comment').fill('Look after them')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Update success').waitFor()
    await page.getByRole('heading', { name: 'User group: Databases' }).waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.waitForURL(/users\/users\?oid=/u)
    await page.goBack()
    await page.getByRole('heading', { name: 'User group: Databases' }).waitFor()
    expect(address().searchParams.get('oid')).toBe(plant.id)
    expect(organizationsAsked('/api/v1/users/groups/')).toEqual(new Set([plant.id]))
    expect(organizationsAsked('/api/v1/users/users/')).toEqual(new Set([plant.id]))
  },
  timeoutMs,
)

test(
  'an address that names an organization is no choice: the next page is in the one chosen',
  async () => {
    await open(`/ui/console/users/groups?oid=${plant.id}`)
    await page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
    await open('/ui/console/users/groups')
    await page.getByRole('button', { name: 'Organization: DEFAULT' }).waitFor()
  },
  timeoutMs,
)

test(
  'Back from a session returns to the tab and the page of the list it was opened from',
  async () => {
    await open('/ui/audit/sessions/sessions')
    await page.getByRole('tab', { name: 'Ended' }).click()
    await page.getByRole('link', { name: 'Person 00' }).waitFor()
    await page.getByRole('button', { name: '2', exact: true }).click()
    await page.getByRole('link', { name: 'Person 20' }).click()
    await page.getByRole('tab', { name: 'Commands' }).click()
    await page.goBack()
    await page.getByRole('link', { name: 'Person 20' }).waitFor()
    expect(await page.getByRole('tab', { selected: true }).textContent()).toContain('Ended')
    await page.getByRole('tab', { name: 'Online' }).click()
    await page.getByRole('link', { name: 'Person 00' }).waitFor()
    await page.getByRole('tab', { name: 'Ended' }).click()
    await page.getByRole('link', { name: 'Person 20' }).waitFor()
  },
  timeoutMs,
)

test(
  'the tabs of sessions ask for those that run and those that ended',
  async () => {
    await open('/ui/audit/sessions/sessions')
    await page.getByRole('link', { name: 'Person 00' }).waitFor()
    await page.getByRole('tab', { name: 'Ended' }).click()
    await page.getByRole('button', { name: 'Download' }).first().waitFor()
    const asked = fixture.requests
      .filter(({ method, path }) => method === 'GET' && path === '/api/v1/terminal/sessions/')
      .map(({ query }) => query.get('is_finished'))
    expect(asked[0]).toBe('false')
    expect(asked.at(-1)).toBe('true')
  },
  timeoutMs,
)
