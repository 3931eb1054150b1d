import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../testing/browser.ts'
import { builtFolder } from '../testing/built-folder.ts'
import { serveRows } from '../testing/fixture-rows.ts'
import { type Fixture, organizations, startFixture } from '../testing/fixture-server.ts'
import { isRecord } from './api/errors.ts'
import type { Row } from './api/resource.ts'

const timeoutMs = 60_000
const listAddress = '/ui/console/users/groups'

let browser: Browser
let fixture: Fixture
let groups: Row[]
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
  groups = Array.from({ length: 37 }, (_, index) => ({
    id: `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`,
    name: `Group ${String(index).padStart(2, '0')}`,
    users: [],
    users_amount: index,
    comment: '',
  }))
  serveRows(fixture, UserGroup, groups)
  serveRows(fixture, User, [{ id: '7d1c0000-0000-4000-8000-000000000009', name: 'Ben', username: 'ben' }])
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 900 } })
  await context.addInitScript("localStorage.setItem('viewSwitcherTip', '1')")
  await context.addCookies([
    { name: 'jms_session_expire', value: 'age', url: fixture.origin },
    { name: 'django_language', value: 'en', url: fixture.origin },
  ])
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
}, timeoutMs)

afterEach(async () => {
  await page.context().close()
  await fixture.close()
})

const open = (address: string) => page.goto(`${fixture.origin}${address}`)
const rowNames = () => page.locator('tbody td[data-name="name"]').allTextContents()
const button = (name: string) => page.getByRole('button', { name, exact: true })

test(
  'a list is searched, sorted and paged, and its address shows the same rows again',
  async () => {
    await open(listAddress)
    await page.getByText('Total 37').waitFor()
    expect(await rowNames()).toHaveLength(15)
    const descending = Array.from({ length: 10 }, (_, index) => `Group ${19 - index}`)

    await page.keyboard.press('/')
    await page.keyboard.type('Group 1')
    await page.keyboard.press('Enter')
    await page.getByText('Total 10').waitFor()
    await button('Name').click()
    await button('Name').click()
    await page.waitForURL(/order=-name/u)
    await expect.poll(rowNames).toEqual(descending)

    await page.reload()
    await expect.poll(rowNames).toEqual(descending)
    await button('Remove Group 1').click()
    await page.getByText('Total 37').waitFor()
  },
  timeoutMs,
)

test(
  'rows ticked on two pages are deleted together after a question',
  async () => {
    await open(listAddress)
    await page.getByRole('checkbox', { name: 'Select Group 00' }).check()
    await button('2').click()
    await page.getByRole('checkbox', { name: 'Select Group 20' }).check()
    await button('Actions (2)').click()
    await page.getByRole('menuitem', { name: 'Delete selected' }).click()
    await page.getByText('Are you sure to delete 2 rows ?').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Total 35').waitFor()
    expect(groups.map((group) => group['name'])).not.toContain('Group 20')
  },
  timeoutMs,
)

test(
  'a form says what is missing, keeps what was typed when the server refuses, and returns to the list',
  async () => {
    await open(listAddress)
    await button('Create').click()
    await button('Submit').click()
    await page.getByText('This field is required').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('name')

    await page.getByLabel('Name').fill('Group 01')
    await page.getByLabel('Comment').fill('Look after the databases')
    await page.getByLabel('User', { exact: true }).click()
    await page.getByText('Ben(ben)').click()
    await page.keyboard.press('Escape')
    await button('Submit').click()
    await page.getByText('This field must be unique.').waitFor()
    expect(await page.getByLabel('Comment').inputValue()).toBe('Look after the databases')

    await page.getByLabel('Name').fill('  Databases ')
    await page.getByLabel('Name').press('Enter')
    await page.getByText('Create success').waitFor()
    await page.waitForURL((url) => url.pathname === listAddress)
    const sent = fixture.requests.findLast(
      (request) => request.method === 'POST' && request.path.endsWith('/groups/'),
    )
    expect(sent?.body).toEqual({
      name: 'Databases',
      comment: 'Look after the databases',
      users: [{ pk: '7d1c0000-0000-4000-8000-000000000009' }],
    })
    expect(sent?.headers['x-csrftoken']).toBe('test-token')
  },
  timeoutMs,
)

test(
  'a password leaves the browser sealed for the server alone',
  async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = pair.publicKey.export({ type: 'spki', format: 'pem' })
    const cookie = { name: 'jms_public_key', value: Buffer.from(pem).toString('base64'), url: fixture.origin }
    await page.context().addCookies([cookie])
    fixture.profile.perms.push('users.add_user')
    fixture.settings.XPACK_LICENSE_IS_VALID = false
    await open('/ui/console/users/users/create')
    await page.getByLabel('Name', { exact: true }).fill('Cleo')
    await page.getByLabel('Username').fill('cleo')
    await page.getByLabel('Email').fill('cleo@example.com')
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    await page.getByText('Set password').click()
    await page.getByLabel('Password', { exact: true }).fill('pässword 1')
    await button('Submit').click()
    await page.getByText('Create success').waitFor()

    const sent = fixture.requests.findLast(
      ({ method, path }) => method === 'POST' && path.endsWith('/users/users/'),
    )
    const password = isRecord(sent?.body) ? String(sent.body['password']) : ''
    const [keyCipher = '', cipher = ''] = password.split(':')
    const key = privateDecrypt(
      { key: pair.privateKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(keyCipher, 'base64'),
    )
    const aes = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
    const plain = Buffer.concat([aes.update(Buffer.from(cipher, 'base64')), aes.final()]).toString()
    expect(plain.replace(/\0+$/u, '')).toBe('pässword 1')
  },
  timeoutMs,
)

test(
  'a list that may not be read says so; one that failed can be asked again',
  async () => {
    const answer = fixture.answers.get('GET /api/v1/users/groups/')
    fixture.answers.set('GET /api/v1/users/groups/', () => ({
      status: 403,
      body: { code: 'permission_denied' },
    }))
    await open(listAddress)
    await page.getByText('no permission for this operation').waitFor()

    fixture.answers.set('GET /api/v1/users/groups/', () => ({
      status: 500,
      body: { error: 'The books are closed' },
    }))
    await button('Refresh').click()
    await page.getByText('The books are closed').waitFor()
    await page.getByText('Total 0').waitFor()
    if (answer) {
      fixture.answers.set('GET /api/v1/users/groups/', answer)
    }
    await button('Try again').click()
    await page.getByText('Total 37').waitFor()
  },
  timeoutMs,
)

test(
  'the total is none after a failed reload of a list that had rows',
  async () => {
    await open(listAddress)
    await page.getByText('Total 37').waitFor()
    fixture.answers.set('GET /api/v1/users/groups/', () => ({ status: 500, body: { error: 'No books' } }))
    await button('Refresh').click()
    await page.getByText('No books').waitFor()
    await page.getByText('Total 0').waitFor()
    expect(await rowNames()).toEqual([])
  },
  timeoutMs,
)

test(
  'the root organization takes nothing new: create, update and duplicate are not there, delete is disabled',
  async () => {
    await page
      .context()
      .addCookies([{ name: 'X-JMS-ORG', value: organizations.root.id, url: fixture.origin }])
    await open(listAddress)
    await page.getByText('Total 37').waitFor()
    expect(await page.getByRole('row').nth(1).getByRole('button').allTextContents()).toEqual(['Delete'])
    expect(await button('Delete').first().isDisabled()).toBe(true)
    expect(await button('Create').count()).toBe(0)
  },
  timeoutMs,
)

test(
  'what the person has no right to is not offered',
  async () => {
    const granted = ['users.add_usergroup', 'users.delete_usergroup']
    fixture.profile.perms = fixture.profile.perms.filter((name) => !granted.includes(name))
    await open(listAddress)
    await page.getByText('Total 37').waitFor()
    await page.getByRole('link', { name: 'Group 00' }).waitFor()
    expect(await page.getByRole('row').nth(1).getByRole('button').allTextContents()).toEqual(['Update'])
    expect(await button('Create').count()).toBe(0)
    expect(await button('Actions').count()).toBe(0)
    await page.getByRole('link', { name: 'Group 00' }).click()
    await page.getByRole('heading', { name: 'User group: Group 00' }).waitFor()
    await button('Update').waitFor()
    expect(await button('Delete').count()).toBe(0)
  },
  timeoutMs,
)

test(
  'a required text is missed when the person leaves it',
  async () => {
    await open(`${listAddress}/create`)
    await page.getByLabel('Name').fill('x')
    await page.getByLabel('Name').fill('')
    expect(await page.getByText('This field is required').count()).toBe(0)
    await page.getByLabel('Comment').focus()
    await page.getByText('This field is required').waitFor()
  },
  timeoutMs,
)

test.each([
  [1280, 0.6],
  [700, 0.8],
])(
  'on a page %i px wide a dialog takes its part of it, near the top',
  async (width, part) => {
    await page.setViewportSize({ width, height: 900 })
    await open(listAddress)
    await button('Custom table display').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Restore default').waitFor()
    await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(width * part)
    expect(await dialog.evaluate((element) => getComputedStyle(element).top)).toBe('27px')
  },
  timeoutMs,
)

test(
  'every call carries the form token, reading ones too',
  async () => {
    await open(listAddress)
    await page.getByText('Total 37').waitFor()
    const read = fixture.requests.filter(({ method }) => method === 'GET' || method === 'OPTIONS')
    expect(read.length).toBeGreaterThan(3)
    expect(read.map(({ headers }) => headers['x-csrftoken'])).toEqual(read.map(() => 'test-token'))
  },
  timeoutMs,
)

test(
  'on a phone a row is a card, and nothing has to be scrolled sideways',
  async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await open(listAddress)
    await page.getByText('Total 37').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await page.getByRole('link', { name: 'Group 00' }).click()
    await page.getByRole('heading', { name: 'User group: Group 00' }).waitFor()
  },
  timeoutMs,
)
