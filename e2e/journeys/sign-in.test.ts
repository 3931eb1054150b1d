/** How people get in and out, in a real browser against the real server. */
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { fillSignIn, openBrowser, openVisit, pathOf, type Visit } from '../src/browser.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'
import { addNewcomer, addPerson } from '../src/world.ts'

const testTimeoutMs = 30_000

let system: System
let browser: Browser
const visits: Visit[] = []

beforeAll(async () => {
  ;[system, browser] = await Promise.all([startSystem({}, { withGateway: false }), openBrowser()])
  // These people mistype on purpose, and cannot read pictures.
  const captchas = { SECURITY_LOGIN_CAPTCHA_ENABLED: false }
  await system.admin.patch('/api/v1/settings/setting/?category=security', captchas)
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
})
afterEach(async () => {
  await Promise.all(visits.splice(0).map(({ page }) => page.context().close()))
})

/** Opens a page; every call that is refused or fails is a complaint as well. */
async function open(path: string): Promise<Visit> {
  const visit = await openVisit(browser)
  visits.push(visit)
  const { page, complaints } = visit
  page.setDefaultTimeout(10_000)
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    // A page that is left drops what it was still asking for.
    if (reason !== 'net::ERR_ABORTED') complaints.push(`${reason} ${request.url()}`)
  })
  await page.goto(system.origin + path)
  return visit
}

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main menu' })
const alert = (page: Page) => page.getByRole('alert').first()
const signOut = async (page: Page) => {
  await page.getByRole('button', { name: /^Account of / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByLabel('Username').waitFor()
}

it(
  'wrong passwords count down, then block the account until an administrator lets the person in again',
  async () => {
    const person = await addPerson(system.admin)
    const { page } = await open('/ui/')
    for (let left = 6; left > 0; left -= 1) {
      await fillSignIn(page, { ...person, password: 'wrong' })
      await page.getByText(`Tries left: ${left}`).waitFor()
    }
    await fillSignIn(page, { ...person, password: 'wrong' })
    await page.getByText('The user is locked.').waitFor()
    await fillSignIn(page, person)
    await page.getByText('The user is locked.').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe(person.username)

    await system.admin.patch(`/api/v1/users/users/${person.id}/unblock/`)
    await fillSignIn(page, person)
    await menu(page).waitFor()
  },
  testTimeoutMs,
)

it(
  'a password that must be changed is changed on the way in, by the rules for this person',
  async () => {
    const person = await addNewcomer(system.admin, { need_update_password: true })
    const sent: string[] = []
    const { page } = await open('/ui/')
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData() ?? '')
    })
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'New password' }).waitFor()
    await page.getByText('At least 6 characters').waitFor()
    const change = async (password: string, again = password) => {
      await page.getByLabel('New password', { exact: true }).fill(password)
      await page.getByLabel('New password again').fill(again)
      await page.getByRole('button', { name: 'Change password and log in' }).click()
    }
    await change('abc')
    await expect.poll(() => alert(page).textContent()).toContain('does not meet the rules')
    await change('Another-one-9', 'Another-one-8')
    await expect.poll(() => alert(page).textContent()).toBe('The two passwords are not the same.')
    await change(person.password)
    await expect.poll(() => alert(page).textContent()).toContain('may not be one of the last')
    await change('Another-one-9')
    await page.getByRole('heading', { name: 'Complete your profile' }).waitFor()
    expect(sent.join()).not.toContain('Another-one')
    expect(sent.join()).not.toContain(person.password)

    await signOut(page)
    await fillSignIn(page, person)
    await page.getByText('The username or password is wrong.').waitFor()
    await fillSignIn(page, { ...person, password: 'Another-one-9' })
    await menu(page).waitFor()
  },
  testTimeoutMs,
)

it(
  'at the first login nothing opens before the profile is complete and the terms are agreed to',
  async () => {
    const person = await addNewcomer(system.admin)
    const { page, complaints } = await open('/ui/workbench/home')
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Complete your profile' }).waitFor()
    await page.getByRole('link', { name: 'Account information' }).click()
    await page.goto(`${system.origin}/ui/workbench/home`)
    await page.getByRole('heading', { name: 'Complete your profile' }).waitFor()
    expect(pathOf(page)).toBe('/ui/profile/improvement?next=%2Fworkbench%2Fhome')

    await page.getByLabel('WeChat').fill('ann-at-work')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('You can go on once you agree to the terms.').waitFor()
    await page.getByLabel('Terms').check()
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(pathOf(page)).toBe('/ui/workbench/home')
    expect(await system.admin.get(`/api/v1/users/users/${person.id}/`)).toMatchObject({
      is_first_login: false,
      wechat: 'ann-at-work',
    })
    expect(complaints).toEqual([])
  },
  testTimeoutMs,
)

it(
  'signing out ends the session and leads back to the page that was left; next never leaves this site',
  async () => {
    const person = await addPerson(system.admin)
    const { page } = await open('/core/auth/login/?next=https://evil.example/')
    await fillSignIn(page, person)
    await menu(page).waitFor()
    expect(new URL(page.url()).origin).toBe(system.origin)
    await page.goto(`${system.origin}/ui/profile/info`)
    await menu(page).waitFor()
    const before = await page.context().cookies()
    await signOut(page)
    expect(pathOf(page)).toBe('/core/auth/login/?next=%2Fui%2Fprofile%2Finfo')

    const session = before.find(({ name }) => name === 'jms_sessionid')
    const answer = await fetch(`${system.origin}/api/v1/users/profile/`, {
      headers: { cookie: `jms_sessionid=${session?.value}` },
    })
    expect(answer.status).toBe(401)
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Account information' }).waitFor()

    for (const evil of ['//evil.example', '/\\evil.example']) {
      await page.goto(`${system.origin}/core/auth/logout/?next=${encodeURIComponent(evil)}`)
      await fillSignIn(page, person)
      await menu(page).waitFor()
      expect(new URL(page.url()).origin).toBe(system.origin)
    }
  },
  testTimeoutMs,
)

it(
  'a session that ends on the server is told to the person, who comes back to the same page',
  async () => {
    const person = await addPerson(system.admin)
    const { page } = await open('/ui/profile/info')
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Account information' }).waitFor()
    // A password that is set anew ends what was opened with the old one.
    const password = 'Set-by-admin-1'
    await system.admin.patch(`/api/v1/users/users/${person.id}/password/`, { password })
    await page.getByRole('link', { name: 'Connection tokens' }).click()
    await page.getByRole('dialog').getByText('Your login has ended').waitFor()
    const popup = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Log in again' }).click()
    const login = await popup
    await fillSignIn(login, { ...person, password })
    await login.getByRole('heading', { name: 'You are logged in' }).waitFor()
    await login.close()
    // It may have noticed by itself that the person is back.
    const question = page.getByRole('dialog').filter({ hasText: 'Your login has ended' })
    await question
      .getByRole('button', { name: 'I am logged in again' })
      .click({ timeout: 3000 })
      .catch(() => undefined)
    await question.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Connection tokens' }).waitFor()
  },
  testTimeoutMs,
)

it(
  'the administrator finds every page of the menu in order, in each language, and nothing for the browser to complain about',
  async () => {
    const { page, complaints } = await open('/ui/console')
    await fillSignIn(page, { username: 'admin', password: adminPassword })
    await menu(page).waitFor()
    const seen: string[] = []
    const underWay = new Set<Request>()
    page.on('request', (request) => underWay.add(request))
    page.on('requestfinished', (request) => underWay.delete(request))
    page.on('requestfailed', (request) => underWay.delete(request))
    for (const view of ['console', 'audit', 'workbench', 'profile']) {
      await page.goto(`${system.origin}/ui/${view}`)
      for (const address of await menuAddresses(page)) {
        await openFromMenu(page, address)
        await expect.poll(() => pathOf(page), { timeout: 10_000 }).toContain(address)
        await page.locator('main h1').waitFor()
        await expect.poll(() => underWay.size, { timeout: 10_000 }).toBe(0)
        seen.push(address)
      }
    }
    expect(seen.length).toBeGreaterThan(8)

    for (const [language, heading] of [
      ['zh-hans', '登录日志'],
      ['ja', 'ログインログ'],
    ] as const) {
      await page.context().addCookies([{ name: 'django_language', value: language, url: system.origin }])
      await page.goto(`${system.origin}/ui/audit/audits/login-logs`)
      await page.getByRole('heading', { name: heading }).waitFor()
      // The server's labels, not the console's.
      await page.getByRole('columnheader', { name: language === 'ja' ? '状態' : '状态' }).waitFor()
    }
    expect(complaints).toEqual([])
  },
  testTimeoutMs,
)

/** What the menu of this view leads to, inside the console. */
async function menuAddresses(page: Page): Promise<string[]> {
  await menu(page).waitFor()
  const links = await page.locator('#sidebar a[href^="/ui/"]').all()
  return Promise.all(links.map(async (link) => (await link.getAttribute('href')) ?? ''))
}

/** Clicks a line of the menu, after opening the group it is in. */
async function openFromMenu(page: Page, address: string): Promise<void> {
  const link = page.locator(`a[href="${address}"]`)
  const group = page.locator('#sidebar li[data-group]', { has: link })
  if ((await group.count()) > 0) {
    const button = group.locator('button[aria-expanded]')
    if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  }
  await page.locator('#sidebar').locator(link).click()
}
