import { Account } from '@sallyport/contract/resources/accounts'
import { Asset, Host, Node, Platform } from '@sallyport/contract/resources/assets'
import { Profile, User, UserGroup } from '@sallyport/contract/resources/users'
import { metadataOf } from '@sallyport/contract/resource/metadata'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from '../../testing/browser.ts'
import { builtFolder } from '../../testing/built-folder.ts'
import { countDraws } from '../../testing/count-draws.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { type Fixture, startFixture } from '../../testing/fixture-server.ts'
import { Mail } from '../../testing/samples/mail.ts'
import type { Row } from '../api/resource.ts'

const timeoutMs = 60_000
const groupId = '00000000-0000-4000-8000-000000000001'
const userId = '7d1c0000-0000-4000-8000-000000000009'
const hostId = '4a1c0000-0000-4000-8000-000000000001'
const accountId = '5a1c0000-0000-4000-8000-000000000001'
const groupAddress = `/ui/console/users/groups/${groupId}`
const groupPath = `/api/v1/users/groups/${groupId}/`
const failed = () => ({ status: 500, body: { error: 'The books are closed' } })

let browser: Browser
let fixture: Fixture
let group: Row
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
  fixture.profile.perms.push(
    'users.add_usergroup',
    'users.change_usergroup',
    'users.add_user',
    'users.change_user',
    'assets.add_asset',
    'assets.change_asset',
    'accounts.change_account',
    'accounts.add_account',
  )
  group = { id: groupId, name: 'Operators', users: [], users_amount: 0, comment: 'Old' }
  serveRows(fixture, UserGroup, [group])
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
/** A button that has just been busy still bears the sign of it for a moment. */
const button = (name: string) =>
  page.getByRole('button', { name: new RegExp(`^(?:loading )?${RegExp.escape(name)}$`, 'u') })
const comment = () => page.getByLabel('Comment')
const sentTo = (method: string, path: string) =>
  fixture.requests.findLast((request) => request.method === method && request.path === path)?.body
const question = () => page.getByRole('dialog', { name: 'Discard your changes?' })

test(
  'what somebody else changed meanwhile is not written back',
  async () => {
    await open(groupAddress)
    await page.getByRole('heading', { name: 'User group: Operators' }).waitFor()
    group['comment'] = 'Changed while the page was in view'
    await button('Update').click()
    await expect.poll(() => comment().inputValue()).toBe('Changed while the page was in view')

    group['comment'] = 'Changed while the form was open'
    await page.getByLabel('Name').fill('Night operators')
    await button('Submit').click()
    await page.getByText('Update success').waitFor()
    expect(sentTo('PUT', groupPath)).toMatchObject({
      name: 'Night operators',
      comment: 'Changed while the form was open',
    })
  },
  timeoutMs,
)

test(
  'two people change the same field: both values are shown, and one of them chosen',
  async () => {
    await open(`${groupAddress}/update`)
    await comment().fill('Mine')
    await page.getByLabel('Name').fill('Night operators')
    group['comment'] = 'Theirs, typed meanwhile'
    group['name'] = 'Day operators'
    await button('Submit').click()
    const contested = (name: string) => page.locator(`[data-field=${name}]`)
    await contested('comment').getByText('Theirs, typed meanwhile').waitFor()
    await contested('comment').getByRole('definition').getByText('Mine', { exact: true }).waitFor()
    expect(sentTo('PUT', groupPath)).toBeUndefined()

    await contested('comment').getByRole('button', { name: 'Keep mine' }).click()
    await contested('name').getByRole('button', { name: 'Take theirs' }).click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Day operators')
    await button('Submit').click()
    await page.getByText('Update success').waitFor()
    expect(sentTo('PUT', groupPath)).toMatchObject({ name: 'Day operators', comment: 'Mine' })
  },
  timeoutMs,
)

test(
  'a form that stays open after saving is clean again and keeps no secret',
  async () => {
    fixture.settings.XPACK_LICENSE_IS_VALID = false
    const user = { id: userId, name: 'Ben', username: 'ben', email: 'ben@example.com' }
    serveRows(fixture, User, [{ ...user, source: { value: 'local', label: 'Local' }, is_active: true }])
    await open(`/ui/console/users/users/${userId}/update`)
    await page.getByLabel('Name', { exact: true }).fill('Ben the Second')
    await page.getByText('Update password').click()
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await button('Save and continue').click()
    await page.getByText('Update success').waitFor()
    expect(sentTo('PUT', `/api/v1/users/users/${userId}/`)).toMatchObject({ password: 'correct horse' })
    await expect.poll(() => button('Reset').isDisabled()).toBe(true)
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ben the Second')
    expect(await page.getByLabel('Password', { exact: true }).count()).toBe(0)
    await page.getByText('Update password').click()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await button('Reset').click()

    await comment().fill('Only this')
    await button('Save and continue').click()
    await expect
      .poll(() => sentTo('PUT', `/api/v1/users/users/${userId}/`))
      .toMatchObject({ comment: 'Only this' })
    expect(sentTo('PUT', `/api/v1/users/users/${userId}/`)).not.toHaveProperty('password')
  },
  timeoutMs,
)

test(
  'after "Save and add another" the form is empty and can be left without a question',
  async () => {
    await open('/ui/console/users/groups/create')
    await page.getByLabel('Name').fill('First')
    await button('Save and add another').click()
    await page.getByText('you may add another').waitFor()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('')
    await page.getByRole('link', { name: 'Users', exact: true }).first().click()
    await page.waitForURL(/\/users\/users/u)
  },
  timeoutMs,
)

test(
  'a page whose form cannot be described says why and can be asked again',
  async () => {
    const listed = '/api/v1/users/groups/'
    const described = fixture.answers.get(`OPTIONS ${listed}`)
    fixture.answers.set(`OPTIONS ${listed}`, failed)
    await open('/ui/console/users/groups/create')
    await page.getByText('The books are closed').waitFor()
    if (described) fixture.answers.set(`OPTIONS ${listed}`, described)
    await button('Try again').click()
    await page.getByLabel('Name').waitFor()

    fixture.answers.set('OPTIONS /api/v1/users/profile/', failed)
    await open('/ui/profile/setting')
    await page.getByText('The books are closed').waitFor()
    fixture.answers.set('OPTIONS /api/v1/users/profile/', () => ({
      body: { actions: { GET: {} } },
    }))
    await button('Try again').click()
    await page.getByText('no permission for this operation').waitFor()
  },
  timeoutMs,
)

test(
  'what is typed stays when the description of the next choice cannot be read',
  async () => {
    serveHosts()
    await open('/ui/console/assets/hosts/create')
    await page.getByLabel('Name', { exact: true }).fill('db-1')
    fixture.answers.set('OPTIONS /api/v1/assets/hosts/', failed)
    await page.getByLabel('Platform').click()
    await page.getByTitle('Windows').click()
    await page.getByText('The books are closed').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('db-1')
  },
  timeoutMs,
)

test(
  'typed work is not lost by a link, by Back or by another tab',
  async () => {
    await open('/ui/console/users/groups')
    await page.getByRole('link', { name: 'Operators' }).waitFor()
    await page
      .getByRole('row', { name: /Operators/u })
      .getByRole('button', { name: 'Update' })
      .click()
    await comment().fill('Half a sentence')
    await page.getByRole('link', { name: 'Users', exact: true }).first().click()
    await question().getByRole('button', { name: 'Keep editing' }).click()
    expect(await comment().inputValue()).toBe('Half a sentence')
    await page.goBack()
    await question().waitFor()
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(await comment().inputValue()).toBe('Half a sentence')
    await page.goBack()
    await question().getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Total 1').waitFor()

    serveProfile()
    await open('/ui/profile/setting')
    await page.getByLabel('WeChat').fill('ann-w')
    await page.getByRole('tab', { name: 'Login password' }).click()
    await question().getByRole('button', { name: 'Keep editing' }).click()
    expect(await page.getByLabel('WeChat').inputValue()).toBe('ann-w')
  },
  timeoutMs,
)

test(
  'typed work in a dialog is not lost by Escape; focus stays in it and returns to what opened it',
  async () => {
    serveAccounts()
    await open('/ui/console/accounts/accounts')
    const opener = page.getByRole('row', { name: /deploy/u }).getByRole('button', { name: 'Update' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Update account' })
    await dialog.getByLabel('Comment').waitFor()
    for (let steps = 0; steps < 30; steps++) {
      await page.keyboard.press('Tab')
    }
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)

    await page.keyboard.press('Enter')
    await dialog.getByLabel('Comment').fill('For releases')
    await page.keyboard.press('Escape')
    await question().waitFor()
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    expect(await dialog.getByLabel('Comment').inputValue()).toBe('For releases')
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(sentTo('PATCH', `/api/v1/accounts/accounts/${accountId}/`)).toEqual({ comment: 'For releases' })
  },
  timeoutMs,
)

test(
  'ten keys in a form of 30 fields draw at most ten rows',
  async () => {
    const metadata = metadataOf(UserGroup, 'en', 'list')
    const many = Object.fromEntries(
      Array.from({ length: 28 }, (_, index) => [
        `part_${index}`,
        { type: 'string', label: `Part ${index}`, max_length: 99 },
      ]),
    )
    fixture.answers.set('OPTIONS /api/v1/users/groups/', () => ({
      body: {
        ...metadata,
        actions: {
          ...metadata.actions,
          POST: { ...metadata.actions.POST, comment: { type: 'nested object', children: many } },
        },
      },
    }))
    const draws = await countDraws(page, '[data-field]')
    await open('/ui/console/users/groups/create')
    await page.getByLabel('Part 27').waitFor()
    expect(await page.locator('[data-field]').count()).toBe(30)
    await page.getByLabel('Name').focus()
    const before = await draws()
    await page.keyboard.type('Ten keys !')
    expect(await page.getByLabel('Name').inputValue()).toBe('Ten keys !')
    const drawn = (await draws()) - before
    expect(drawn).toBeGreaterThan(0)
    expect(drawn).toBeLessThanOrEqual(10)
  },
  timeoutMs,
)

test(
  'protocols are added, changed and removed in lines, and the server says what is wrong in which of them',
  async () => {
    serveHosts()
    await open(`/ui/console/assets/hosts/${hostId}/update`)
    const lines = page.locator('[data-field=protocols] [data-column=port] input')
    await button('Remove ssh').waitFor()
    expect(await lines.count()).toBe(1)
    await button('Add protocol').click()
    await lines.nth(1).fill('70')
    fixture.answers.set(`PUT /api/v1/assets/hosts/${hostId}/`, () => ({
      status: 400,
      body: { protocols: [{}, { port: ['This port is taken.'] }] },
    }))
    await button('Submit').click()
    await page.getByText('This port is taken.').waitFor()
    expect(sentTo('PUT', `/api/v1/assets/hosts/${hostId}/`)).toMatchObject({
      protocols: [
        { name: 'ssh', port: 22 },
        { name: 'sftp', port: 70 },
      ],
    })
    expect(await lines.nth(1).evaluate((element) => element.getAttribute('aria-invalid'))).toBe('true')
    await button('Remove sftp').click()
    await expect.poll(() => lines.count()).toBe(1)
    expect(await page.getByText('This port is taken.').count()).toBe(0)
    expect(await button('Remove ssh').isDisabled()).toBe(true)
  },
  timeoutMs,
)

test(
  'a choice that is required is missed as soon as it is taken back',
  async () => {
    serveHosts()
    await open(`/ui/console/assets/hosts/${hostId}/update`)
    await page.locator('[data-field=nodes]').getByText('Default').waitFor()
    await page.getByLabel('Nodes').focus()
    await page.keyboard.press('Backspace')
    await page.locator('[data-field=nodes]').getByText('This field is required').waitFor()
  },
  timeoutMs,
)

test(
  'a dialog opened from a menu gives the focus back to the button of the menu',
  async () => {
    await open('/ui/console/users/groups')
    const help = page.getByRole('button', { name: 'Help' })
    await help.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'About' }).click()
    await page.getByRole('dialog', { name: 'About' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'About' }).waitFor({ state: 'detached' })
    await expect.poll(() => help.evaluate((element) => element === document.activeElement)).toBe(true)
  },
  timeoutMs,
)

test(
  'the profile sends only what was changed',
  async () => {
    serveProfile()
    await open('/ui/profile/setting')
    await page.getByLabel('WeChat').fill('ann-w')
    await button('Submit').click()
    await page.getByText('Update success').waitFor()
    expect(sentTo('PATCH', '/api/v1/users/profile/')).toEqual({ wechat: 'ann-w' })
    expect(await page.getByLabel('Username').isDisabled()).toBe(true)
    await expect.poll(() => button('Reset').isDisabled()).toBe(true)
  },
  timeoutMs,
)

test(
  'settings can be tried before they are saved, and only what was changed is saved',
  async () => {
    const saved = { host: 'mail.example.com', routes: [{ domain: 'example.com', port: 25 }] }
    const path = '/api/v1/settings/mail/'
    fixture.answers.set(`OPTIONS ${path}`, () => ({ body: metadataOf(Mail, 'en', 'detail') }))
    fixture.answers.set(`GET ${path}`, () => ({ body: saved }))
    fixture.answers.set(`PATCH ${path}`, ({ body }) => ({ body: Object.assign(saved, body) }))
    fixture.answers.set(`POST ${path}testing/`, () => ({ body: { msg: 'A letter is on its way' } }))
    await open('/ui/src/testing/samples/index.html')
    await page.getByLabel('key').fill('letmein')
    await button('Connect').click()
    await page.getByText('A letter is on its way').waitFor()
    const route = { domain: 'example.com', port: 25 }
    expect(sentTo('POST', `${path}testing/`)).toEqual({
      host: 'mail.example.com',
      key: 'letmein',
      routes: [route],
    })
    fixture.answers.set(`POST ${path}testing/`, () => ({ status: 400, body: { host: ['Nobody answers.'] } }))
    await button('Connect').click()
    await page.getByText('Nobody answers.').waitFor()

    await button('Add').click()
    await button('Submit').click()
    await page.getByText('This field is required').waitFor()
    expect(sentTo('PATCH', path)).toBeUndefined()
    await page.getByLabel('domain').nth(1).fill('example.org')
    await button('Submit').click()
    await page.getByText('Update success').waitFor()
    expect(sentTo('PATCH', path)).toEqual({ key: 'letmein', routes: [route, { domain: 'example.org' }] })
    expect(await page.getByLabel('key').inputValue()).toBe('')
    await expect.poll(() => button('Reset').isDisabled()).toBe(true)
  },
  timeoutMs,
)

test(
  'a page of settings that cannot be read says why and can be asked again',
  async () => {
    fixture.answers.set('OPTIONS /api/v1/settings/mail/', () => ({ body: metadataOf(Mail, 'en', 'detail') }))
    fixture.answers.set('GET /api/v1/settings/mail/', failed)
    await open('/ui/src/testing/samples/index.html')
    await page.getByText('The books are closed').waitFor()
    fixture.answers.set('GET /api/v1/settings/mail/', () => ({
      body: { host: 'mail.example.com', routes: [] },
    }))
    await button('Try again').click()
    await expect.poll(() => page.getByLabel('host').inputValue()).toBe('mail.example.com')
  },
  timeoutMs,
)

test(
  'what a page shows of a set is not written back when one of it is taken away',
  async () => {
    serveHosts()
    const path = `/api/v1/assets/assets/${hostId}/`
    const asset = {
      id: hostId,
      name: 'web-1',
      nodes: [
        { id: 'n1', name: 'One' },
        { id: 'n2', name: 'Two' },
      ],
      labels: [],
      protocols: [],
    }
    serveRows(fixture, Asset, [asset])
    const nodes = [1, 2, 3].map((id) => ({ id: `n${id}`, name: `${id}`, full_value: `/Node ${id}` }))
    serveRows(fixture, Node, nodes)
    await open(`/ui/console/assets/assets/${hostId}`)
    await button('Remove /Node 2').waitFor()
    asset.nodes.push({ id: 'n3', name: 'Three, added meanwhile' })
    await button('Remove /Node 2').click()
    await expect.poll(() => sentTo('PATCH', path)).toEqual({ nodes: [{ pk: 'n1' }, { pk: 'n3' }] })
  },
  timeoutMs,
)

test(
  'accounts of a new host are added in a dialog, and the server says what is wrong with which of them',
  async () => {
    serveHosts()
    serveAccounts()
    await open('/ui/console/assets/hosts/create')
    await page.getByLabel('Name', { exact: true }).fill('db-1')
    await page.getByLabel('IP/Host').fill('192.0.2.7')
    await button('Add protocol').click()
    for (const name of ['root', 'deploy']) {
      await button('Add account').click()
      const dialog = page.getByRole('dialog', { name: 'Add account' })
      await dialog.getByLabel('Name', { exact: true }).fill(name)
      await dialog.getByRole('button', { name: 'Confirm' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    fixture.answers.set('POST /api/v1/assets/hosts/', () => ({
      status: 400,
      body: { accounts: [{}, { secret: ['Too short.'] }] },
    }))
    await button('Submit').click()
    await page
      .getByRole('row', { name: /deploy/u })
      .getByText('Too short.')
      .waitFor()
    expect(sentTo('POST', '/api/v1/assets/hosts/')).toMatchObject({
      name: 'db-1',
      accounts: [
        { name: 'root', username: 'root', privileged: true },
        { name: 'deploy', username: 'deploy' },
      ],
    })
    await button('Remove deploy').click()
    expect(await page.getByText('Too short.').count()).toBe(0)
    await page.getByRole('row', { name: /root/u }).waitFor()
  },
  timeoutMs,
)

test(
  'what the server wants confirmed first is confirmed and then saved, with all that was typed',
  async () => {
    serveProfile()
    fixture.profile['can_public_key_auth'] = true
    let isConfirmed = false
    fixture.answers.set('PUT /api/v1/users/profile/public-key/', () =>
      isConfirmed ? { body: {} } : { status: 400, body: { code: 'password', error: 'Confirm first' } },
    )
    fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
      body: { confirm_type: 'password', content: [] },
    }))
    fixture.answers.set('POST /api/v1/authentication/confirm/', () => {
      isConfirmed = true
      return { body: {} }
    })
    await open('/ui/profile/setting?activeTab=SSHUpdate')
    await page.getByLabel('SSH public key').fill('ssh-ed25519 AAAA ann')
    await button('Submit').click()
    const proof = page.getByRole('dialog', { name: 'Verify Current User' })
    await proof.getByLabel('Password').fill('correct horse')
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Update success').waitFor()
    expect(sentTo('PUT', '/api/v1/users/profile/public-key/')).toEqual({ public_key: 'ssh-ed25519 AAAA ann' })
    expect(await page.getByLabel('SSH public key').inputValue()).toBe('')
  },
  timeoutMs,
)

test(
  'typed work is not lost by choosing another organization, and Escape in a list of choices closes only the list',
  async () => {
    await open(`${groupAddress}/update`)
    await comment().fill('Half a sentence')
    await page.getByRole('button', { name: /DEFAULT/u }).click()
    await page.getByRole('menuitem', { name: 'Plant' }).click()
    await question().getByRole('button', { name: 'Keep editing' }).click()
    expect(await comment().inputValue()).toBe('Half a sentence')
    await page.getByRole('button', { name: /DEFAULT/u }).click()
    await page.getByRole('menuitem', { name: 'Plant' }).click()
    await question().getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('button', { name: /Plant/u }).waitFor()

    serveAccounts()
    await open('/ui/console/accounts/accounts')
    await button('Add account').click()
    const dialog = page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByLabel('Assets').click()
    await page.getByRole('listbox').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await page.keyboard.press('x')
    await dialog.waitFor()
  },
  timeoutMs,
)

function serveProfile() {
  const path = '/api/v1/users/profile/'
  fixture.answers.set(`OPTIONS ${path}`, () => ({ body: metadataOf(Profile, 'en', 'detail') }))
  fixture.answers.set(`PATCH ${path}`, ({ body }) => {
    Object.assign(fixture.profile, body)
    return { body: fixture.profile }
  })
}

const platform = (id: number, name: string) => ({
  id,
  name,
  category: { value: 'host', label: 'Host' },
  type: { value: 'linux', label: 'Linux' },
  protocols: [
    {
      id: 1,
      name: 'ssh',
      port: 22,
      primary: true,
      required: true,
      default: true,
      secret_types: ['password'],
    },
    { id: 2, name: 'sftp', port: 22, primary: false, required: false, default: false },
  ],
})

function serveHosts() {
  serveRows(fixture, Platform, [platform(1, 'Linux'), platform(2, 'Windows')])
  serveRows(fixture, Host, [
    {
      id: hostId,
      name: 'web-1',
      address: '192.0.2.1',
      platform: { id: 1, name: 'Linux' },
      nodes: [{ id: hostId, name: 'Default' }],
      protocols: [{ name: 'ssh', port: 22 }],
      labels: [],
      is_active: true,
      comment: '',
    },
  ])
}

function serveAccounts() {
  serveRows(fixture, Platform, [platform(1, 'Linux')])
  serveRows(fixture, Account, [
    {
      id: accountId,
      name: 'deploy',
      username: 'deploy',
      secret_type: { value: 'password', label: 'Password' },
      asset: { id: hostId, name: 'web-1', platform: { id: 1 } },
      has_secret: true,
      privileged: false,
      is_active: true,
      comment: '',
    },
  ])
}
