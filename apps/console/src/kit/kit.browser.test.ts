import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../testing/console-page.ts'
import { serveRows } from '../testing/fixture-rows.ts'
import { organizations } from '../testing/fixture-server.ts'
import { isRecord } from './api/errors.ts'
import type { Row } from './api/resource.ts'

const listAddress = '/ui/console/users/groups'

let groups: Row[]
const at = consolePage((fixture) => {
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
})

const rowNames = () => at.page.locator('tbody td[data-name="name"]').allTextContents()

test('a list is searched, sorted and paged, and its address shows the same rows again', async () => {
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  expect(await rowNames()).toHaveLength(15)
  const descending = Array.from({ length: 10 }, (_, index) => `Group ${19 - index}`)

  await at.page.keyboard.press('/')
  await at.page.keyboard.type('Group 1')
  await at.page.keyboard.press('Enter')
  await at.page.getByText('Total 10').waitFor()
  await at.button('Name').click()
  await at.button('Name').click()
  await at.page.waitForURL(/order=-name/u)
  await expect.poll(rowNames).toEqual(descending)

  await at.page.reload()
  await expect.poll(rowNames).toEqual(descending)
  await at.button('Remove Group 1').click()
  await at.page.getByText('Total 37').waitFor()
})

test('rows ticked on two pages are deleted together after a question', async () => {
  await at.open(listAddress)
  await at.page.getByRole('checkbox', { name: 'Select Group 00' }).check()
  await at.button('2').click()
  await at.page.getByRole('checkbox', { name: 'Select Group 20' }).check()
  await at.button('Actions (2)').click()
  await at.page.getByRole('menuitem', { name: 'Delete selected' }).click()
  await at.page.getByText('Delete 2 rows: Group 00, Group 20?').waitFor()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.page.getByText('Deleted successfully').waitFor()
  await at.page.getByText('Total 35').waitFor()
  expect(groups.map((group) => group['name'])).not.toContain('Group 20')
})

test('a form says what is missing, keeps what was typed when the server refuses, and returns to the list', async () => {
  await at.open(listAddress)
  await at.button('Create').click()
  // So low that the field and the button are not seen together.
  await at.page.setViewportSize({ width: 1280, height: 220 })
  await at.button('Submit').click()
  await at.page.getByText('This field is required').waitFor()
  expect(await at.page.evaluate('document.activeElement.name')).toBe('name')
  const name = at.page.getByLabel('Name')
  await expect.poll(async () => ((await name.boundingBox())?.y ?? -1) > 0).toBe(true)
  await at.page.setViewportSize({ width: 1280, height: 900 })

  await at.page.getByLabel('Name').fill('Group 01')
  await at.page.getByLabel('Comment').fill('Look after the databases')
  await at.page.getByRole('combobox', { name: 'Users' }).click()
  await at.page.getByText('Ben(ben)').click()
  await at.page.keyboard.press('Escape')
  await at.button('Submit').click()
  await at.page.getByText('This field must be unique.').waitFor()
  expect(await at.page.getByLabel('Comment').inputValue()).toBe('Look after the databases')

  await at.page.getByLabel('Name').fill('  Databases ')
  await at.page.getByLabel('Name').press('Enter')
  await at.page.getByText('was created').waitFor()
  await at.page.waitForURL((url) => url.pathname === listAddress)
  const sent = at.fixture.requests.findLast(
    (request) => request.method === 'POST' && request.path.endsWith('/groups/'),
  )
  expect(sent?.body).toEqual({
    name: 'Databases',
    comment: 'Look after the databases',
    users: [{ pk: '7d1c0000-0000-4000-8000-000000000009' }],
  })
  expect(sent?.headers['x-csrftoken']).toBe('test-token')
})

/** Whatever the page has begun to draw is drawn; it goes on in messages to itself. */
const drawn = () =>
  at.page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel()
    port1.start()
    for (let turn = 0; turn < 100; turn++)
      await new Promise((resolve) => {
        port1.addEventListener('message', resolve, { once: true })
        port2.postMessage(turn)
      })
  })

test('once it is saved, a form stays 100 ms before it leads back', async () => {
  await at.page.clock.install()
  await at.open(`${listAddress}/create`)
  await at.page.getByLabel('Name').fill('Databases')
  await at.page.clock.pauseAt(new Date(Date.now() + 60_000))
  await at.button('Submit').click()
  await expect.poll(() => groups.length).toBe(38)
  await at.page.locator('form[aria-busy=false]').waitFor()
  await at.page.clock.runFor(99)
  await drawn()
  expect(at.page.url()).toContain('/create')
  await at.page.clock.runFor(1)
  await at.page.waitForURL((url) => url.pathname === listAddress)
})

test('candidates are asked for 400 ms after the last letter', async () => {
  await at.page.clock.install()
  await at.open(`${listAddress}/create`)
  await at.page.getByRole('combobox', { name: 'Users' }).click()
  await at.page.getByText('Ben(ben)').waitFor()
  await at.page.clock.pauseAt(new Date(Date.now() + 60_000))
  const searched = () =>
    at.fixture.requests.flatMap(({ path, query }) =>
      path === '/api/v1/users/users/' ? (query.get('search') ?? []) : [],
    )
  await at.page.keyboard.type('b')
  await at.page.clock.runFor(399)
  await at.page.keyboard.type('e')
  await at.page.clock.runFor(399)
  expect(searched().filter((text) => text !== '')).toEqual([])
  await at.page.clock.runFor(1)
  await expect.poll(searched).toContain('be')
})

test('a password leaves the browser sealed for the server alone', async () => {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' })
  const cookie = {
    name: 'jms_public_key',
    value: Buffer.from(pem).toString('base64'),
    url: at.fixture.origin,
  }
  await at.page.context().addCookies([cookie])
  at.fixture.profile.perms.push('users.add_user')
  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  await at.open('/ui/console/users/users/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Cleo')
  await at.page.getByLabel('Username').fill('cleo')
  await at.page.getByLabel('Email').fill('cleo@example.com')
  await at.page.getByLabel('Password', { exact: true }).fill('Pässword 1')
  await at.button('Submit').click()
  await at.page.getByText('was created').waitFor()

  const sent = at.fixture.requests.findLast(
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
  expect(plain.replace(/\0+$/u, '')).toBe('Pässword 1')
})

test('a list that may not be read says so; one that failed can be asked again', async () => {
  const answer = at.fixture.answers.get('GET /api/v1/users/groups/')
  at.fixture.answers.set('GET /api/v1/users/groups/', () => ({
    status: 403,
    body: { code: 'permission_denied' },
  }))
  await at.open(listAddress)
  await at.page.getByText('no permission for this operation').waitFor()

  at.fixture.answers.set('GET /api/v1/users/groups/', () => ({
    status: 500,
    body: { error: 'The books are closed' },
  }))
  const asked = () => at.fixture.requests.filter(({ path }) => path === '/api/v1/users/groups/').length
  const askedBefore = asked()
  await at.button('Refresh').click()
  await at.page.getByText('The books are closed').waitFor()
  await at.page.getByText('Total 0').waitFor()
  // The person decides whether it is asked again.
  expect(asked()).toBe(askedBefore + 1)
  if (answer) {
    at.fixture.answers.set('GET /api/v1/users/groups/', answer)
  }
  await at.button('Try again').click()
  await at.page.getByText('Total 37').waitFor()
})

test('the total is none after a failed reload of a list that had rows', async () => {
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  at.fixture.answers.set('GET /api/v1/users/groups/', () => ({ status: 500, body: { error: 'No books' } }))
  await at.button('Refresh').click()
  await at.page.getByText('No books').waitFor()
  await at.page.getByText('Total 0').waitFor()
  expect(await rowNames()).toEqual([])
})

test('the root organization takes nothing new: create, update and duplicate are not there, delete is disabled', async () => {
  await at.page
    .context()
    .addCookies([{ name: 'X-JMS-ORG', value: organizations.root.id, url: at.fixture.origin }])
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  expect(await at.page.getByRole('row').nth(1).getByRole('button').allTextContents()).toEqual(['Delete'])
  expect(await at.button('Delete').first().isDisabled()).toBe(true)
  expect(await at.button('Create').count()).toBe(0)
})

test('what the person has no right to is not offered', async () => {
  const granted = ['users.add_usergroup', 'users.delete_usergroup']
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => !granted.includes(name))
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  await at.page.getByRole('link', { name: 'Group 00' }).waitFor()
  expect(await at.page.getByRole('row').nth(1).getByRole('button').allTextContents()).toEqual(['Update'])
  expect(await at.button('Create').count()).toBe(0)
  expect(await at.button('Actions').count()).toBe(0)
  await at.page.getByRole('link', { name: 'Group 00' }).click()
  await at.page.getByRole('heading', { name: 'User group: Group 00' }).waitFor()
  await at.button('Update').waitFor()
  expect(await at.button('Delete').count()).toBe(0)
})

test('a required text is missed when the person leaves it', async () => {
  await at.open(`${listAddress}/create`)
  await at.page.getByLabel('Name').fill('x')
  await at.page.getByLabel('Name').fill('')
  expect(await at.page.getByText('This field is required').count()).toBe(0)
  await at.page.getByLabel('Comment').focus()
  await at.page.getByText('This field is required').waitFor()
})

test.each([
  [1280, 0.6],
  [700, 0.8],
])('on a page %i px wide a dialog takes its part of it, near the top', async (width, part) => {
  await at.page.setViewportSize({ width, height: 900 })
  await at.open(listAddress)
  await at.button('Choose columns').click()
  const dialog = at.page.getByRole('dialog')
  await dialog.getByText('Restore default').waitFor()
  await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(width * part)
  expect(await dialog.evaluate((element) => getComputedStyle(element).top)).toBe('27px')
})

test('every call carries the form token, reading ones too', async () => {
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  const read = at.fixture.requests.filter(({ method }) => method === 'GET' || method === 'OPTIONS')
  expect(read.length).toBeGreaterThan(3)
  expect(read.map(({ headers }) => headers['x-csrftoken'])).toEqual(read.map(() => 'test-token'))
})

test('on a phone a row is a card, and nothing has to be scrolled sideways', async () => {
  await at.page.setViewportSize({ width: 390, height: 800 })
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  expect(await at.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  await at.page.getByRole('link', { name: 'Group 00' }).click()
  await at.page.getByRole('heading', { name: 'User group: Group 00' }).waitFor()
})

test('the number of rows a page has is remembered, and so are the columns until the usual ones are restored', async () => {
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  await at.page.getByLabel('Rows per page').selectOption('30')
  await expect.poll(async () => (await rowNames()).length).toBe(30)
  const heading = at.page.getByRole('columnheader', { name: 'Comment' })
  const hadComment = (await heading.count()) > 0
  await at.button('Choose columns').click()
  await at.page.getByRole('dialog').getByRole('checkbox', { name: 'Comment' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await expect.poll(async () => (await heading.count()) > 0).toBe(!hadComment)

  await at.open('/ui/console/users/users')
  await at.open(listAddress)
  await expect.poll(async () => (await rowNames()).length).toBe(30)
  expect((await heading.count()) > 0).toBe(!hadComment)
  await at.button('Choose columns').click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Restore default' }).click()
  await expect.poll(async () => (await heading.count()) > 0).toBe(hadComment)
})

test('a page leads back where one came from, and a detail to its update and its deletion', async () => {
  await at.open(listAddress)
  await at.page.getByText('Total 37').waitFor()
  await at.page.getByRole('link', { name: 'Group 00' }).click()
  await at.page.getByRole('heading', { name: 'User group: Group 00' }).waitFor()
  expect(await at.page.getByRole('banner').getByRole('button', { name: 'Delete' }).count()).toBe(0)
  const heading = at.page.locator('main header')
  await heading.getByRole('button', { name: 'Delete' }).waitFor()
  await heading.getByRole('button', { name: 'Update' }).click()
  await at.page.waitForURL(/\/update/u)
  await at.button('Back').click()
  await at.page.getByRole('heading', { name: 'User group: Group 00' }).waitFor()
  await at.button('Back').click()
  await at.page.getByText('Total 37').waitFor()
  // What the server says of the fields is asked for once.
  const path = '/api/v1/users/groups/'
  const asked = at.fixture.requests.filter((one) => one.method === 'OPTIONS' && one.path === path)
  expect(asked).toHaveLength(1)
})

test('in the root organization a detail cannot be updated', async () => {
  await at.page
    .context()
    .addCookies([{ name: 'X-JMS-ORG', value: organizations.root.id, url: at.fixture.origin }])
  await at.open(`${listAddress}/${String(groups[0]?.id)}`)
  await at.page.getByRole('heading', { name: 'User group: Group 00' }).waitFor()
  const update = at.page.locator('main header').getByRole('button', { name: 'Update' })
  expect((await update.count()) === 0 || (await update.isDisabled())).toBe(true)
})

test('a detail that is not there says so, one that failed is asked for again, and one that is deleted leads to the list', async () => {
  await at.open(`${listAddress}/00000000-0000-4000-8000-00000000dead`)
  await at.page.getByText('Object not found or deleted').waitFor()
  const id = String(groups[0]?.id)
  const address = `GET /api/v1/users/groups/${id}/`
  const answer = at.fixture.answers.get(address)
  at.fixture.answers.set(address, () => ({ status: 500, body: { error: 'The books are closed' } }))
  await at.open(`${listAddress}/${id}`)
  await at.page.getByText('The books are closed').waitFor()
  if (answer) at.fixture.answers.set(address, answer)
  else at.fixture.answers.delete(address)
  await at.button('Try again').click()
  const heading = at.page.locator('main header')
  await heading.getByRole('button', { name: 'Delete' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.page.getByText('Deleted successfully').waitFor()
  await at.page.getByText('Total 36').waitFor()
})
