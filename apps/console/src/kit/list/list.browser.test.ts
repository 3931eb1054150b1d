import { UserGroup } from '@sallyport/contract/resources/users'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../testing/browser.ts'
import { builtFolder } from '../../testing/built-folder.ts'
import { countDraws } from '../../testing/count-draws.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { type Fixture, startFixture } from '../../testing/fixture-server.ts'

const timeoutMs = 60_000

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
  fixture.profile.perms.push('users.add_usergroup', 'users.change_usergroup', 'users.delete_usergroup')
  serveRows(
    fixture,
    UserGroup,
    Array.from({ length: 100 }, (_, index) => ({
      id: `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`,
      name: `Group ${String(index).padStart(2, '0')}`,
      users: [],
      users_amount: index,
      comment: '',
      ...(index === 1 && { may: { update: 'Groups of the directory are changed there', delete: false } }),
    })),
  )
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(15_000)
  await context.addInitScript("localStorage.setItem('paginationSize', '100')")
  await context.addCookies([{ name: 'jms_session_expire', value: 'age', url: fixture.origin }])
  page = await context.newPage()
}, timeoutMs)

afterEach(async () => {
  await page.context().close()
  await fixture.close()
})

const open = () => page.goto(`${fixture.origin}/ui/console/users/groups`)

test(
  'a tick among a hundred rows draws that row alone',
  async () => {
    const draws = await countDraws(page, 'tbody tr')
    await open()
    await page.getByRole('link', { name: 'Group 99' }).waitFor()
    const before = await draws()
    await page.getByRole('checkbox', { name: 'Select Group 50' }).check()
    await page.getByRole('button', { name: 'Actions (1)' }).waitFor()
    expect((await draws()) - before).toBe(1)
  },
  timeoutMs,
)

test(
  'what the server refuses with a row is closed, and says why',
  async () => {
    await open()
    const row = page.getByRole('row').filter({ hasText: 'Group 01' })
    const update = row.getByRole('button', { name: 'Update' })
    await update.waitFor()
    expect(await update.isDisabled()).toBe(true)
    expect(await update.getAttribute('title')).toBe('Groups of the directory are changed there')
    const other = page.getByRole('row').filter({ hasText: 'Group 02' })
    expect(await other.getByRole('button', { name: 'Update' }).isDisabled()).toBe(false)
  },
  timeoutMs,
)
