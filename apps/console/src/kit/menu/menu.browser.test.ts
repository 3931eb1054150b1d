import { UserGroup } from '@sallyport/contract/resources/users'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../testing/browser.ts'
import { builtFolder } from '../../testing/built-folder.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { type Fixture, organizations, startFixture } from '../../testing/fixture-server.ts'

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
  serveRows(fixture, UserGroup, [
    { id: '00000000-0000-4000-8000-000000000001', name: 'Databases', users: [], users_amount: 0 },
  ])
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(15_000)
  await context.addCookies([
    { name: 'jms_session_expire', value: 'age', url: fixture.origin },
    { name: 'X-JMS-ORG', value: organizations.standard.id, url: fixture.origin },
  ])
  page = await context.newPage()
}, timeoutMs)

afterEach(async () => {
  await page.context().close()
  await fixture.close()
})

const open = () => page.goto(`${fixture.origin}/ui/console/users/groups`)
const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim())

test(
  'the organization menu is worked by keyboard alone: arrows, letters, Enter, Escape',
  async () => {
    await open()
    const button = page.getByRole('button', { name: 'Organization: DEFAULT' })
    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menu').waitFor()
    expect(await focused()).toBe('DEFAULT')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Plant')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('GLOBAL')
    await page.keyboard.press('p')
    expect(await focused()).toBe('Plant')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('menu').count()).toBe(0)
    expect(await focused()).toBe('DEFAULT')
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('p')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  },
  timeoutMs,
)

test(
  'of many organizations one is found by typing part of its name',
  async () => {
    const many = Array.from({ length: 9 }, (_, index) => ({
      id: `5b0c6d4e-0f4e-4f0e-9d0e-1c2d3e4f5a0${index}`,
      name: `Works ${index}`,
      is_default: false,
      is_root: false,
    }))
    fixture.profile.console_orgs = [organizations.standard, ...many]
    await open()
    await page.getByRole('button', { name: 'Organization: DEFAULT' }).click()
    await page.keyboard.type('works 7')
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Works 7'])
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Organization: Works 7' }).waitFor()
  },
  timeoutMs,
)

test(
  'a menu of a row gives the focus back to its button, a press elsewhere closes it',
  async () => {
    await open()
    const more = page.getByRole('row', { name: /Databases/u }).getByRole('button', { name: 'More' })
    await more.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await more.evaluate((element) => element === document.activeElement)).toBe(true)
    await more.click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await more.click()
    expect(await page.getByRole('menu').count()).toBe(0)
    await more.click()
    await page.getByRole('heading', { level: 1 }).click()
    expect(await page.getByRole('menu').count()).toBe(0)

    await more.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true)
  },
  timeoutMs,
)
