import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedBrowser } from '../testing/browser.ts'
import { builtFolder } from '../testing/built-folder.ts'
import { type Fixture, organizations, startFixture } from '../testing/fixture-server.ts'

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 780 }

let browser: Browser
let fixture: Fixture
let context: BrowserContext
let page: Page
let faults: string[]

beforeAll(async () => {
  browser = await sharedBrowser()
}, 60_000)

beforeEach(async () => {
  fixture = await startFixture(builtFolder())
  await visit({ viewport: desktop })
})

afterEach(async () => {
  await context.close()
  await fixture.close()
  expect(faults).toEqual([])
})

async function visit(options: Parameters<Browser['newContext']>[0]): Promise<void> {
  faults = []
  context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(15_000)
  page = await context.newPage()
  page.on('pageerror', (error) => faults.push(error.message))
}

/** As after an earlier sign-in: the session and its cookies are there. */
async function signedIn(address: string): Promise<void> {
  fixture.isSignedIn = true
  await context.addCookies([{ name: 'jms_session_expire', value: 'age', url: fixture.origin }])
  await page.goto(fixture.origin + address)
}

const path = () => page.url().slice(fixture.origin.length)
const asked = () => fixture.requests.map(({ method, path }) => `${method} ${path}`)

test('a person signs in with the keyboard and comes to the page asked for', async () => {
  await page.goto(`${fixture.origin}/ui/workbench/home?x=1`)
  await page.getByLabel('Username').waitFor()
  expect(path()).toBe('/core/auth/login/?next=%2Fui%2Fworkbench%2Fhome%3Fx%3D1')
  expect(asked()).toContain('GET /core/auth/logout/')
  await expect.poll(() => page.title()).toBe('Log in - Sallyport of the test')

  await page.keyboard.type('ann ')
  await page.keyboard.press('Tab')
  await page.keyboard.type('correct horse')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()

  expect(path()).toBe('/ui/workbench/home?x=1')
  const login = fixture.requests.find(({ method }) => method === 'POST')
  expect(login?.body).toEqual({ username: 'ann', password: 'correct horse', auto_login: false })
  expect(login?.headers['x-csrftoken']).toBe('test-token')
})

test('a refused password is explained in the words of the server, and the name stays', async () => {
  const msg = 'Wrong username or password. 6 tries left, then locked for 30 minutes.'
  fixture.answers.set('POST /core/auth/login/', () => ({
    status: 400,
    body: { error: 'password_failed', msg },
  }))
  await page.goto(`${fixture.origin}/ui/login`)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toBe('Enter your username.')
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect.poll(() => page.getByRole('alert').textContent()).toBe(msg)
  expect(await page.getByLabel('Username').inputValue()).toBe('ann')
})

test('after signing in nobody is led to another site', async () => {
  fixture.answers.set('POST /core/auth/login/', () => {
    fixture.isSignedIn = true
    return {
      body: { next: '//evil.example/' },
      headers: { 'set-cookie': 'jms_session_expire=age; Path=/' },
    }
  })
  await page.goto(`${fixture.origin}/core/auth/login/?next=https://evil.example/`)
  await page.getByLabel('Username').fill('ann')
  await page.getByLabel('Password', { exact: true }).fill('x')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
  expect(path()).toBe('/ui/workbench/home')
})

test('the session starts in the specified order, in the organization used last', async () => {
  await context.addCookies([{ name: 'X-JMS-ORG', value: organizations.plant.id, url: fixture.origin }])
  await signedIn('/ui/')
  await page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  await expect.poll(asked).toContain('GET /api/v1/assets/categories/')
  expect(asked().slice(0, 4)).toEqual([
    'GET /api/v1/settings/public/open/',
    'GET /api/v1/users/profile/',
    'GET /api/v1/settings/public/',
    'GET /api/v1/assets/categories/',
  ])
  expect(fixture.requests.at(-1)?.headers['x-jms-org']).toBe(organizations.plant.id)
})

test('no call of the start waits for the answer before it, and a new browser asks for the profile once', async () => {
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/settings/public/open/', async (route) => {
    await held
    await route.continue()
  })
  await signedIn('/ui/workbench')
  await expect.poll(asked).toContain('GET /api/v1/settings/public/')
  answer()
  await page.getByRole('button', { name: 'Organization: DEFAULT' }).waitFor()
  await expect.poll(asked).toContain('GET /api/v1/assets/categories/')
  const profiles = fixture.requests.filter(
    ({ method, path }) => `${method} ${path}` === 'GET /api/v1/users/profile/',
  )
  expect(profiles.map(({ headers }) => headers['x-jms-org'])).toEqual([organizations.standard.id])
})

test('while a person types name and password the browser fetches the files of the console', async () => {
  const fetched: string[] = []
  page.on('requestfinished', (request) => fetched.push(request.url()))
  await page.goto(`${fixture.origin}/core/auth/login/`)
  for (const file of ['/pages-[^/]+\\.js$', '/pages-[^/]+\\.css$'])
    await expect.poll(() => fetched.some((address) => new RegExp(file, 'u').test(address))).toBe(true)
})

test('choosing another organization reloads the page in it', async () => {
  await signedIn('/ui/workbench')
  await page.getByRole('button', { name: 'Organization: DEFAULT' }).click()
  await page.getByRole('menuitem', { name: 'Plant' }).click()
  await page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  expect(fixture.requests.at(-1)?.headers['x-jms-org']).toBe(organizations.plant.id)
})

test('everybody who uses a browser comes back to the organization of their own', async () => {
  await signedIn('/ui/workbench')
  for (const [username, from, to] of [
    ['ann', 'DEFAULT', 'Plant'],
    ['ben', 'Plant', 'DEFAULT'],
  ] as const) {
    fixture.profile.username = username
    await page.reload()
    await page.getByRole('button', { name: `Organization: ${from}` }).click()
    await page.getByRole('menuitem', { name: to }).click()
    await page.getByRole('button', { name: `Organization: ${to}` }).waitFor()
  }
  fixture.profile.username = 'ann'
  await page.reload()
  await page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
})

test('a view without organizations leads to one the person may enter', async () => {
  fixture.profile.console_orgs = []
  fixture.profile.audit_orgs = []
  await signedIn('/ui/#/console/users/users')
  await page.getByRole('heading', { name: 'Workbench' }).waitFor()
  expect(path()).toBe('/ui/workbench/home')
})

test('the settings are closed to a person without the right to them', async () => {
  fixture.profile.console_orgs = []
  fixture.profile.audit_orgs = []
  await signedIn('/ui/settings')
  await page.getByRole('heading', { name: 'Workbench' }).waitFor()
  expect(path()).toBe('/ui/workbench/home')
})

test('an unknown address says so and leads home', async () => {
  await signedIn('/ui/workbench/nothing/here')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(path()).toBe('/ui/404')
  expect(await page.title()).toBe('Page not found - Sallyport of the test')
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await expect.poll(path).toBe('/ui/workbench/home')
})

test('when the login ends while a page is open, the person is asked to log in again', async () => {
  await signedIn('/ui/workbench')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  fixture.answers.set('OPTIONS /api/v1/terminal/sessions/', () => ({ status: 401, body: { detail: 'no' } }))
  await page.getByRole('navigation', { name: 'Switch view' }).getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('dialog').getByText('Your login has ended.').waitFor()
  const popup = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Log in again' }).click()
  const login = await popup
  await login.getByLabel('Username').waitFor()
  // Not a second one of the page whose typed values are behind the question.
  expect(login.url().slice(fixture.origin.length)).toBe('/core/auth/login/?next=%2Fui%2Flogged-in')
  await login.goto(`${fixture.origin}/ui/logged-in`)
  await login.getByRole('heading', { name: 'You are logged in' }).waitFor()
  await login.getByText('Go back to the tab').waitFor()
})

async function logOutInAnotherWindow(): Promise<Page> {
  const other = await context.newPage()
  await other.goto(`${fixture.origin}/ui/workbench`)
  await other.getByRole('button', { name: /^Account of/u }).click()
  await other.getByRole('menuitem', { name: 'Log out' }).click()
  await other.getByLabel('Username').waitFor()
  return other
}

const ended = () => page.getByRole('dialog').getByText('Your login has ended.')

test('when the person logs out in another window, every window says so at once, and logging in there again is enough', async () => {
  await signedIn('/ui/workbench')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const other = await logOutInAnotherWindow()
  await ended().waitFor()
  await other.getByLabel('Username').fill('ann')
  await other.getByLabel('Password', { exact: true }).fill('x')
  await other.keyboard.press('Enter')
  await ended().waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

test('a window that is come back to asks who is logged in', async () => {
  await signedIn('/ui/workbench')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
  fixture.isSignedIn = false
  await comeBack()
  await ended().waitFor()
  fixture.isSignedIn = true
  Object.assign(fixture.profile, { id: 'ben', name: 'Ben Buyer', username: 'ben' })
  await comeBack()
  await page.getByRole('heading', { name: 'Another user is logged in' }).waitFor()
})

test('a server that fails at the start is reported with a way to try again', async () => {
  fixture.answers.set('GET /api/v1/settings/public/', () => ({
    status: 500,
    body: { error: 'Database down' },
  }))
  await signedIn('/ui/workbench')
  await page.getByRole('heading', { name: 'The console could not start' }).waitFor()
  await page.getByText('Database down').waitFor()
  fixture.answers.clear()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
})

test('when nobody can tell who the person is, the person is asked to log in again', async () => {
  fixture.answers.set('GET /api/v1/users/profile/', () => ({ status: 500, body: { error: 'Database down' } }))
  await signedIn('/ui/workbench')
  await page.getByText('Verification failed, please Login again.').waitFor()
  await page.getByText('Database down').waitFor()
  await page.getByRole('link', { name: 'Log in again' }).click()
  await page.getByLabel('Username').waitFor()
  expect(path()).toBe('/core/auth/login/?next=%2Fui%2Fworkbench')
})

test('a session the server has ended leads to the login page, and back afterwards', async () => {
  fixture.answers.set('GET /api/v1/users/profile/', () => ({ status: 401, body: { detail: 'no' } }))
  await signedIn('/ui/workbench/home')
  await page.getByLabel('Username').waitFor()
  expect(path()).toBe('/core/auth/login/?next=%2Fui%2Fworkbench%2Fhome')
})

test('the tools of the header stand in their order', async () => {
  fixture.profile.perms.push('settings.view_setting', 'tickets.view_ticket', 'rbac.view_webterminal')
  await signedIn('/ui/workbench')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const tools = page.getByRole('banner').locator(':is(a, button)[aria-label]')
  const names = await tools.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
  const wanted = [
    'Site messages',
    'Web terminal',
    'Tickets',
    'System settings',
    'Help',
    'Account of Ann Admin',
  ]
  const places = wanted.map((name) => names.findIndex((one) => one.startsWith(name)))
  expect(places, names.join(', ')).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  const opened = context.waitForEvent('page')
  await page.getByRole('banner').getByRole('link', { name: 'Web terminal' }).click()
  expect((await opened).url()).toMatch(/\/luna\/\?_=\d+/u)
})

test('the header offers what one may open, and help that is an address of the web', async () => {
  const closed = ['rbac.view_webterminal', 'authentication.view_connectiontoken']
  fixture.profile.perms = fixture.profile.perms.filter((name) => !closed.includes(name))
  fixture.settings.HELP_DOCUMENT_URL = 'https://docs.example/'
  fixture.settings.HELP_SUPPORT_URL = 'javascript:alert(1)'
  await signedIn('/ui/workbench')
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: 'Documentation' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Support' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Account of Ann Admin' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Connection tokens' }).count()).toBe(0)
  expect(await page.getByRole('banner').getByRole('link', { name: 'Web terminal' }).count()).toBe(0)
})

test('help leads to the documentation and the support of the settings', async () => {
  const help = { Documentation: 'https://docs.example/', Support: 'https://support.example/' }
  fixture.settings.HELP_DOCUMENT_URL = help.Documentation
  fixture.settings.HELP_SUPPORT_URL = help.Support
  await context.route(/\.example\//u, (route) => route.fulfill({ body: '' }))
  await signedIn('/ui/workbench')
  for (const [name, address] of Object.entries(help)) {
    await page.getByRole('button', { name: 'Help' }).click()
    const opened = context.waitForEvent('page')
    await page.getByRole('menuitem', { name }).click()
    expect((await opened).url()).toBe(address)
  }
})

test('the menu of the account leads to all that is one’s own', async () => {
  fixture.settings.AUTH_TEMP_TOKEN = true
  fixture.profile.perms.push(
    'authentication.view_accesskey',
    'authentication.view_temptoken',
    'authentication.view_connectiontoken',
  )
  await signedIn('/ui/workbench')
  await page.getByRole('button', { name: 'Account of Ann Admin' }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual([
    'Profile',
    'API keys',
    'Temporary passwords',
    'Connection tokens',
    'Log out',
  ])
})

test('that a password ends soon is told to people whose password is kept here', async () => {
  const day = 86_400_000
  fixture.settings.SECURITY_PASSWORD_EXPIRATION_TIME = 30
  fixture.profile.date_password_last_updated = new Date(Date.now() - 28 * day).toISOString()
  await signedIn('/ui/workbench')
  const notice = page.getByRole('link', { name: /password/iu })
  await notice.first().waitFor()
  fixture.profile.source = { value: 'ldap', label: 'LDAP' }
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await notice.count()).toBe(0)
})

test('the groups of sessions and logs stand open in the audit menu until another is opened', async () => {
  await signedIn('/ui/audit')
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
  const groups = page.getByRole('navigation', { name: 'Main menu' }).locator('button[aria-expanded]')
  const open = () =>
    groups.evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-expanded')))
  expect(await open()).toEqual(['true', 'true'])
  await page.getByRole('link', { name: 'Login logs' }).click()
  await expect.poll(path).toBe('/ui/audit/audits/login-logs')
  expect(await open()).toEqual(['true', 'true'])
  await groups.first().click()
  expect(await open()).toEqual(['false', 'true'])
  await groups.first().click()
  expect(await open()).toEqual(['true', 'false'])
})

test('language and theme are chosen in the header and kept', async () => {
  await signedIn('/ui/workbench')
  await page.getByRole('button', { name: 'Language / Theme' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  await page.getByRole('button', { name: 'Language / Theme' }).click()
  await page.getByRole('menuitem', { name: '日本語' }).click()
  await page.getByRole('heading', { name: 'ワークベンチ' }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe('ja')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  expect((await context.cookies()).find(({ name }) => name === 'django_language')?.value).toBe('ja')
})

test('the first Tab skips to the content, and the folded menu is remembered', async () => {
  await signedIn('/ui/workbench')
  await page.getByRole('navigation', { name: 'Main menu' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')
  const sidebarWidth = () => page.locator('#sidebar').evaluate((element) => element.clientWidth)
  await expect.poll(sidebarWidth).toBe(200)
  await page.getByRole('button', { name: 'Collapse the menu' }).click()
  await expect.poll(sidebarWidth).toBe(54)
  await page.reload()
  await page.getByRole('button', { name: 'Expand the menu' }).waitFor()
})

test('on a phone the menu is a drawer that Escape closes, and nothing is wider than the screen', async () => {
  await context.close()
  await visit({ viewport: phone, hasTouch: true })
  fixture.profile.perms.push('settings.view_setting')
  await signedIn('/ui/workbench')
  const hamburger = page.getByRole('button', { name: 'Open the menu' })
  await hamburger.tap()
  await page.getByRole('link', { name: 'Web terminal' }).nth(1).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => hamburger.getAttribute('aria-expanded')).toBe('false')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width)
  const account = await page.getByRole('button', { name: /^Account of/ }).boundingBox()
  expect((account?.x ?? 0) + (account?.width ?? 0)).toBeLessThanOrEqual(phone.width)
})

const wideLogo = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40"/>')}`

test.each([
  [360, ''],
  [360, wideLogo],
  [390, ''],
  [480, ''],
  [640, ''],
])("on a phone %i px wide all of an administrator's header can be reached", async (width, logo) => {
  fixture.settings.INTERFACE.logo_index = logo
  fixture.profile.perms.push('tickets.view_ticket', 'settings.view_setting')
  await context.close()
  await visit({ viewport: { width, height: 780 }, hasTouch: true })
  await signedIn('/ui/console')
  const header = page.getByRole('banner')
  await header.getByRole('button', { name: /^Account/u }).waitFor()
  for (const name of [/tickets/iu, /settings/iu, 'Web terminal'])
    await header.getByRole('link', { name }).waitFor()
  const items = await header.locator('a, button').filter({ visible: true }).all()
  const ends = await Promise.all(items.map(async (item) => item.boundingBox()))
  let end = 0
  for (const box of ends) {
    expect(box?.x).toBeGreaterThanOrEqual(end)
    end = (box?.x ?? 0) + (box?.width ?? 0)
  }
  expect(end).toBeLessThanOrEqual(width)
  expect(items.length).toBe(width < 480 ? 8 : 9)
  await header.getByRole('button', { name: /^Account/u }).tap()
  await page.getByRole('menuitem', { name: 'Log out' }).waitFor()
})

test('choosing a view opens its first page and remembers it as the start', async () => {
  await signedIn('/ui/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByRole('navigation', { name: 'Switch view' }).getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('heading', { name: 'Sessions', exact: true }).waitFor()
  expect(path()).toBe('/ui/audit/sessions/sessions')
  expect(await page.title()).toBe('Sessions - Sallyport of the test')
  await page.goto(`${fixture.origin}/ui/`)
  await expect.poll(path).toBe('/ui/audit/sessions/sessions')
})

test('a page the person has no right to is, for him, not there', async () => {
  fixture.profile.perms = fixture.profile.perms.filter((name) => name !== 'audits.view_operatelog')
  await signedIn('/ui/audit/audits/operate-logs')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await page.getByRole('link', { name: 'Login logs' }).count()).toBe(1)
  expect(await page.getByRole('link', { name: 'Operation logs' }).count()).toBe(0)
})

test('who looks after the licence sees in the About dialog how much of it is used', async () => {
  fixture.profile.perms = [...fixture.profile.perms, 'settings.change_license']
  fixture.answers.set('GET /api/v1/xpack/license/detail/', () => ({
    body: { corporation: 'Test Works Ltd', date_expired: '', asset_count: 50, current_asset_count: 7 },
  }))
  await signedIn('/ui/workbench')
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: 'About' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('7 of 50').waitFor()
  expect(await dialog.locator('dd').allTextContents()).toEqual([
    'Sallyport Enterprise edition',
    expect.stringMatching(/^v\d/u),
    'Test Works Ltd',
    'no limit',
    '7 of 50',
    'Sallyport, Apache-2.0',
  ])
})

test('the hint at the views is shown until it is read, and covers nothing', async () => {
  await signedIn('/ui/workbench')
  const hint = page.getByRole('note')
  await hint.waitFor()
  const [box, main] = [await hint.boundingBox(), await page.locator('main').boundingBox()]
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(main?.x ?? 0)
  await page.getByRole('button', { name: 'Got it' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await hint.count()).toBe(0)
})

test('from the profile the logo and a missing page lead to the view used last', async () => {
  await context.addInitScript(() => localStorage.setItem('PreView', 'audit'))
  await signedIn('/ui/profile/info')
  await page.getByRole('link', { name: 'Sallyport of the test' }).click()
  await page.waitForURL(/\/ui\/audit\//u)
  await page.goto(`${fixture.origin}/ui/profile/nowhere`)
  await page.getByRole('link', { name: 'Go to the home page' }).click()
  await page.waitForURL(/\/ui\/audit\//u)
})

test('whoever has used no view yet comes from the profile to the overview', async () => {
  await signedIn('/ui/profile/info')
  await page.getByRole('link', { name: 'Sallyport of the test' }).click()
  await page.waitForURL(/\/ui\/workbench\/home/u)
})

test('the menu marks the list a form belongs to, where its address lies elsewhere', async () => {
  fixture.profile.perms.push('assets.add_asset')
  await signedIn('/ui/console/assets/hosts/create')
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  await menu.locator('a[aria-current=page][href^="/ui/console/assets/assets"]').waitFor()
})

const task = '7d1c0000-0000-4000-8000-00000000000f'

test('the log of a task is shown as it is written, on a page of its own', async () => {
  const sent: unknown[] = []
  await page.routeWebSocket('**/ws/ops/tasks/log/', (socket) =>
    socket.onMessage((message) => {
      sent.push(JSON.parse(String(message)))
      socket.send(JSON.stringify({ message: 'Records of logins: 12 removed\r\n', task }))
      socket.send(JSON.stringify({ event: 'end', task, message: '' }))
    }),
  )
  await signedIn(`/ui/ops/celery/task/${task}/log/?type=celery`)
  await page.getByText('12 removed').waitFor()
  expect(sent).toEqual([{ task, type: 'celery' }])
  expect(await page.getByRole('navigation').count()).toBe(0)
})

test('a log that cannot be reached says so', async () => {
  await page.routeWebSocket('**/ws/ops/tasks/log/', (socket) => socket.close({ code: 1011 }))
  await signedIn(`/ui/ops/ansible/task/${task}/log/`)
  await page.getByText('Connect Websocket failed').waitFor()
})

test('the download centre tells how to connect and where programs are, and asks no other site', async () => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(fixture.origin)) elsewhere.push(request.url())
  })
  fixture.answers.set('GET /api/v1/terminal/endpoints/smart/', () => ({
    body: { host: 'bastion.example', ssh_port: 2222 },
  }))
  await signedIn('/ui/workbench')
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: 'About' }).click()
  const link = page.getByRole('dialog').getByRole('link', { name: 'Download center' })
  expect(await link.getAttribute('href')).toBe('/core/download/')
  await page.goto(`${fixture.origin}/ui/downloads`)
  await page.getByText('ssh ann@bastion.example -p 2222').waitFor()
  const row = page.getByRole('row', { name: 'OpenSSH' })
  expect(await row.getByRole('link').textContent()).toBe('https://www.openssh.com/')
  expect(elsewhere).toEqual([])
})

test('an old link to a session leads to its page, with what it asked for', async () => {
  fixture.answers.set(`GET /api/v1/terminal/sessions/${task}/`, () => ({ status: 404, body: {} }))
  await signedIn(`/ui/terminal/sessions/${task}?activeTab=Commands`)
  await expect.poll(path).toBe(`/ui/audit/sessions/sessions/${task}?activeTab=Commands`)
})

test('a link that leads nowhere is logged for who looks for it', async () => {
  const logged = page.waitForEvent('console', (message) => message.text().includes('No route found'))
  await signedIn('/ui/audit/nowhere')
  expect((await logged).text()).toBe('No route found /ui/audit/nowhere')
})
