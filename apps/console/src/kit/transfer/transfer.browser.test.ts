import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readingOf } from '@sallyport/contract/cell-values'
import { maxImportBytes } from '@sallyport/contract/constants'
import type { Resource } from '@sallyport/contract'
import { Account } from '@sallyport/contract/resources/accounts'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import type { Locator } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { organizations } from '../../testing/fixture-server.ts'
import { isRecord } from '../api/errors.ts'
import type { Row } from '../api/resource.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const address = '/ui/console/users/groups'
const list = '/api/v1/users/groups/'
let groups: Row[]
let rendered: { title: [string, string][]; data: Record<string, unknown>[] }

const at = consolePage((fixture) => {
  fixture.profile.perms.push('users.add_usergroup', 'users.change_usergroup', 'users.delete_usergroup')
  groups = Array.from({ length: 3 }, (_none, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    name: `Group ${index}`,
    users: [],
    users_amount: index,
    comment: '',
  }))
  serveRows(fixture, UserGroup, groups)
  serveRows(fixture, User, [])
  rendered = {
    title: [
      ['*Name', 'name'],
      ['Comment', 'comment'],
      ['Users', 'users'],
    ],
    data: [
      { name: 'New 1', comment: 'first' },
      { name: 'Group 1', comment: '', '': 'of no column' },
      { name: 'New 2', comment: 'third' },
    ],
  }
  fixture.answers.set(`POST ${list}render-to-json/`, () => ({ body: rendering(UserGroup) }))
})

/** What the server makes of a file. */
const rendering = ({ fields }: Resource) => ({
  ...rendered,
  unknown: ['Members'],
  readings: Object.fromEntries(
    rendered.title.map(([, name]) => {
      const field = fields[name]
      return [name, field && readingOf(field)]
    }),
  ),
})

const dialog = () => at.page.getByRole('dialog')
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const file = (name: string, content: string | Buffer = 'name\r\na') => ({
  name,
  mimeType: '',
  buffer: Buffer.from(content),
})
const choose = (given: ReturnType<typeof file> | string) =>
  dialog().locator('input[type=file]').setInputFiles(given)
const sent = (method: string, path: string) =>
  at.fixture.requests.filter((request) => request.method === method && request.path === path)
const hasFocus = (control: Locator) =>
  expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)
const count = (name: string) =>
  dialog()
    .getByText(new RegExp(`^${name} \\(\\d+\\)$`, 'u'))
    .textContent()

test('an import with failing rows goes on to its end, and what failed is mended and sent again alone', async () => {
  await at.open(address)
  await at.button('Import').click()
  await choose(file('groups.csv', 'name,comment\r\n…'))
  await dialog().getByRole('table').waitFor()
  expect(sent('POST', `${list}render-to-json/`)[0]).toMatchObject({
    headers: { 'content-type': 'text/csv' },
    body: 'name,comment\r\n…',
  })
  await dialog().getByText('is called so: Members').waitFor()
  // Nobody has filled in the users.
  expect(await dialog().getByRole('columnheader').allTextContents()).toEqual(['', 'Name', 'Comment'])
  await inDialog('Import').click()
  await at.page.getByText('1 item failed to import').waitFor()
  expect(await Promise.all(['Total', 'Success', 'Failed', 'Pending'].map((name) => count(name)))).toEqual([
    'Total (3)',
    'Success (2)',
    'Failed (1)',
    'Pending (0)',
  ])
  await dialog().getByRole('img', { name: 'Failed: Name: This field must be unique.' }).hover()
  await at.page.getByRole('tooltip').getByText('Name: This field must be unique.').waitFor()
  await at.page.getByRole('cell').getByText('This field must be unique.', { exact: true }).waitFor()

  await dialog()
    .getByRole('button', { name: /^Name: Group 1/u })
    .click()
  await at.page.keyboard.press('ControlOrMeta+A')
  await at.page.keyboard.type('New 3')
  await at.page.keyboard.press('Enter')
  await dialog().getByText('Pending (1)').waitFor()
  await inDialog('Continue').click()
  await at.page.getByText('All rows are imported.').waitFor()
  expect(sent('POST', list).map(({ body }) => isRecord(body) && body['name'])).toEqual([
    'New 1',
    'Group 1',
    'New 2',
    'New 3',
  ])
  expect(sent('POST', list)[1]?.body).toEqual({ name: 'Group 1', comment: '' })
  await inDialog('Finished').click()
  await at.page.getByText('Total 6').waitFor()
})

test('a row with several errors stays in the list while it is corrected, and the keyboard stays with it', async () => {
  rendered.data = ['1', '2'].map((row) => ({ name: `Row ${row}`, comment: `about ${row}` }))
  at.fixture.answers.set(`POST ${list}`, ({ body }) =>
    JSON.stringify(body).includes('Row')
      ? { status: 400, body: { name: ['Not so.'], comment: ['Nor so.'] } }
      : { status: 201, body },
  )
  const names = () =>
    dialog()
      .getByRole('button', { name: /^Name: / })
      .allTextContents()
  const type = (text: string) => at.page.keyboard.type(text)
  const press = async (...keys: string[]) => {
    for (const key of keys) await at.page.keyboard.press(key)
  }
  await at.open(address)
  await at.button('Import').click()
  await choose(file('groups.csv'))
  await hasFocus(inDialog('Import'))
  await press('Enter')
  await at.page.getByText('2 items failed to import').waitFor()
  await hasFocus(inDialog('Continue'))

  await inDialog('Name: Row 1, edit').focus()
  await press('Enter', 'ControlOrMeta+A')
  await type('New 1')
  await press('Enter')
  await hasFocus(inDialog('Name: New 1, edit'))
  await dialog().getByText('Pending (1)').waitFor()
  expect(await names()).toEqual(['New 1', 'Row 2'])
  await press('Tab')
  await hasFocus(inDialog('Comment: about 1, edit'))
  await press('Enter')
  await type(', forgotten')
  await press('Escape')
  await hasFocus(inDialog('Comment: about 1, edit'))

  await inDialog('Name: Row 2, edit').focus()
  await press('Enter', 'ControlOrMeta+A')
  await type('New 2')
  await press('Tab')
  await hasFocus(inDialog('Comment: about 2, edit'))
  expect(await names()).toEqual(['New 1', 'New 2'])
  await dialog().getByText('Failed (0)').waitFor()
  await dialog().getByText('Success (0)').click()
  await expect.poll(names).toEqual([])
  await dialog().getByText('Failed (0)').click()
  await expect.poll(names).toEqual([])
  await inDialog('Continue').click()
  await inDialog('Finished').waitFor()
})

test('what was corrected or not yet sent is not lost by another file or mode without a question', async () => {
  rendered.data = Array.from({ length: 25 }, (_none, index) => ({ name: `Row ${index}` }))
  const question = at.page.getByRole('dialog', { name: 'Discard your changes?' })
  const answer = (name: string) => question.getByRole('button', { name }).click()
  const mode = (name: string) => at.page.getByRole('radio', { name, exact: true })
  const cell = at.page.getByRole('button', { name: 'Name: Row 0, corrected, edit' })
  await at.open(address)
  await at.button('Import').click()
  await choose(file('many.csv'))
  await inDialog('Name: Row 0, edit').click()
  await at.page.keyboard.type(', corrected')
  await inDialog('Another file').click()
  await answer('Keep editing')
  await question.waitFor({ state: 'detached' })
  await cell.waitFor()
  await mode('Create').focus()
  await at.page.keyboard.press('ArrowRight')
  await question.waitFor()
  await at.page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await cell.waitFor()
  expect(await mode('Create').isChecked()).toBe(true)
  await mode('Update').click()
  await answer('Discard')
  await dialog().getByText('Drop a file here, or choose one').waitFor()
  expect(await mode('Update').isChecked()).toBe(true)

  await mode('Create').check()
  await choose(file('many.csv'))
  await inDialog('Import').click()
  await inDialog('Stop').click()
  await inDialog('Another file').click()
  await answer('Discard')
  await dialog().getByText('Drop a file here, or choose one').waitFor()
})

test('a cell is corrected in the notation of files, also where its column held texts alone or nothing, and taken away from a row that is there', async () => {
  const id = '11111111-2222-4333-8444-555555555555'
  rendered.title.unshift(['ID', 'id'])
  rendered.data = [
    { id: groups[0]?.['id'], name: 'Group 0', users: ['Ann Berg'] },
    { id: groups[1]?.['id'], name: 'Group 1', users: [{ pk: id, name: 'Ann Berg' }] },
  ]
  at.fixture.answers.set(`PUT ${list}:id/`, ({ body }) => ({ body }))
  await at.open(address)
  await at.button('Import').click()
  await at.page.getByRole('radio', { name: 'Update', exact: true }).check()
  await choose(file('groups.csv'))
  await inDialog('Users: Ann Berg, edit').first().click()
  await at.page.getByRole('textbox', { name: 'Users' }).fill(`Ann Berg(${id}), Bo(${id})`)
  await at.page.keyboard.press('Enter')
  await inDialog('Users: Ann Berg, edit').click()
  const cell = at.page.getByRole('textbox', { name: 'Users' })
  expect(await cell.inputValue()).toBe(`["Ann Berg(${id})"]`)
  await cell.fill('')
  await at.page.keyboard.press('Enter')
  await inDialog('Import').click()
  await inDialog('Finished').waitFor()
  const puts = at.fixture.requests.filter(({ method }) => method === 'PUT')
  expect(puts.map(({ body }) => body)).toEqual([
    {
      id: groups[0]?.['id'],
      name: 'Group 0',
      users: [
        { pk: id, name: 'Ann Berg' },
        { pk: id, name: 'Bo' },
      ],
    },
    { id: groups[1]?.['id'], name: 'Group 1', users: [] },
  ])
})

test('between two rows of an import are 100 ms', async () => {
  const heardMs: number[] = []
  at.fixture.answers.set(`POST ${list}`, ({ body }) => {
    heardMs.push(performance.now())
    return { status: 201, body }
  })
  await at.open(address)
  await at.button('Import').click()
  await choose(file('groups.csv'))
  await inDialog('Import').click()
  await inDialog('Finished').waitFor()
  const [first = 0, second = 0, third = 0] = heardMs
  // Timers of the browser are right to a millisecond.
  expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(99)
})

test('without a connection nothing is lost, and the import goes on where it was', async () => {
  rendered.data = Array.from({ length: 25 }, (_none, index) => ({ name: `Row ${index}` }))
  await at.open(address)
  await at.button('Import').click()
  await choose(file('many.xlsx'))
  await dialog().getByText('1 / 3').waitFor()
  expect(await dialog().getByRole('row').count()).toBe(11)
  await at.page.route(`**${list}`, (route) =>
    sent('POST', list).length < 3 ? route.continue() : route.abort('connectionfailed'),
  )
  await inDialog('Import').click()
  await dialog()
    .getByText(/^The import has stopped: The server cannot be reached/u)
    .waitFor()
  await dialog().getByText('Success (3)').waitFor()
  await dialog().getByText('Pending (22)').waitFor()
  await at.page.unroute(`**${list}`)
  await inDialog('Continue').click()
  await inDialog('Stop').click()
  await inDialog('Continue').click()
  await inDialog('Finished').waitFor()
  const names = sent('POST', list).map(({ body }) => (isRecord(body) ? String(body['name']) : ''))
  expect(new Set(names).size).toBe(25)
  expect(names).toHaveLength(25)
})

test('rows are changed by their ids, and the template of changes holds what is ticked', async () => {
  rendered = {
    title: [
      ['ID', 'id'],
      ['*Name', 'name'],
    ],
    data: [{ id: groups[1]?.id, name: 'Called otherwise' }, { name: 'Without an id' }],
  }
  const template = { body: 'x', headers: { 'content-disposition': 'attachment; filename="usergroup.csv"' } }
  await at.open(address)
  await at.page.getByRole('checkbox', { name: 'Select Group 1' }).check()
  at.fixture.answers.set(`GET ${list}`, () => template)
  await at.button('Import').click()
  await dialog().getByRole('radio', { name: 'Update' }).check()
  const [kept] = await Promise.all([at.page.waitForEvent('download'), inDialog('XLSX').click()])
  expect(kept.suggestedFilename()).toBe('usergroup.csv')
  const asked = Object.fromEntries(sent('GET', list).at(-1)?.query ?? [])
  expect(asked).toEqual({ format: 'xlsx', template: 'update', spm: expect.any(String) })
  await choose(file('changes.csv'))
  await inDialog('Import').click()
  await at.page.getByText('1 item failed to import').waitFor()
  expect(sent('PUT', `${list}${groups[1]?.id}`)[0]?.body).toEqual({
    id: groups[1]?.id,
    name: 'Called otherwise',
  })
  // Another mode is another file.
  await dialog().getByRole('radio', { name: 'Create' }).check()
  await dialog().getByText('Drop a file here, or choose one').waitFor()
})

test('files that cannot be imported are refused before they are sent, or in the words of the server', async () => {
  await at.open(address)
  await at.button('Import').click()
  await choose(file('picture.png'))
  await dialog().getByText('Only .csv and .xlsx files can be imported.').waitFor()
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-import-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // The browser opens it where it lies.
  const large = join(folder, 'large.csv')
  await writeFile(large, '')
  await truncate(large, maxImportBytes + 1)
  await choose(large)
  await dialog().getByText('The file is larger than 30 MB. Import it in parts.').waitFor()
  expect(sent('POST', `${list}render-to-json/`)).toHaveLength(0)
  at.fixture.answers.set(`POST ${list}render-to-json/`, () => ({
    status: 400,
    body: { detail: 'Parse file error: the workbook is damaged.', code: 'parse_error' },
  }))
  const field = dialog().locator('input[type=file]')
  await field.focus()
  await choose(file('broken.xlsx'))
  await dialog().getByText('Parse file error: the workbook is damaged.').waitFor()
  await hasFocus(field)
})

test('secrets of a file are never shown', async () => {
  at.fixture.profile.perms.push('users.add_user')
  rendered = {
    title: [
      ['*Username', 'username'],
      ['Password', 'password'],
    ],
    data: [{ username: 'cleo', password: 'a-secret' }],
  }
  at.fixture.answers.set('POST /api/v1/users/users/render-to-json/', () => ({ body: rendering(User) }))
  await at.open('/ui/console/users/users')
  await at.button('Import').click()
  await choose(file('people.csv'))
  await dialog().getByRole('cell', { name: '******' }).waitFor()
  expect(await at.page.content()).not.toContain('a-secret')
  await inDialog('Import').click()
  await inDialog('Finished').waitFor()
  expect(sent('POST', '/api/v1/users/users/').at(-1)?.body).toEqual({
    username: 'cleo',
    password: 'a-secret',
  })
})

test('a list is exported whole, filtered or as it is ticked, in either format', async () => {
  const exported = {
    body: 'ID\r\n1',
    headers: { 'content-disposition': 'attachment; filename="usergroup.csv"' },
  }
  const run = async () => {
    const [kept] = await Promise.all([at.page.waitForEvent('download'), inDialog('Export').click()])
    await dialog().waitFor({ state: 'hidden' })
    const asked = Object.fromEntries(
      sent('GET', list).findLast(({ query }) => query.has('format'))?.query ?? [],
    )
    return { text: await readFile(await kept.path(), 'utf8'), asked }
  }
  const rows = at.fixture.answers.get(`GET ${list}`)
  at.fixture.answers.set(`GET ${list}`, (request) =>
    request.query.has('format') ? exported : (rows?.(request) ?? {}),
  )
  await at.open(address)
  await at.button('Export').click()
  expect(await dialog().getByRole('radio', { name: 'Selected (0)' }).isDisabled()).toBe(true)
  expect(await dialog().getByRole('radio', { name: 'Filtered' }).isDisabled()).toBe(true)
  expect(await run()).toEqual({ text: 'ID\r\n1', asked: { format: 'csv' } })

  await at.page.getByRole('checkbox', { name: 'Select Group 2' }).check()
  await at.button('Export').click()
  await dialog().getByRole('radio', { name: 'Excel' }).check()
  expect((await run()).asked).toEqual({ format: 'xlsx', spm: expect.any(String) })

  await at.open(`${address}?search=Group&order=-name`)
  await at.button('Export').click()
  expect(await dialog().getByRole('radio', { name: 'All' }).isDisabled()).toBe(true)
  expect((await run()).asked).toEqual({ format: 'csv', search: 'Group', order: '-name' })

  at.fixture.answers.set(`GET ${list}`, () => ({ status: 503, body: { detail: 'Too many wait already.' } }))
  await at.button('Export').click()
  await inDialog('Export').click()
  await dialog().getByText('Too many wait already.').waitFor()
  await inDialog('Cancel').click()
  await dialog().waitFor({ state: 'hidden' })
})

test('the dialog of an export is gone 100 ms after Cancel', async () => {
  await at.page.clock.install()
  await at.open(address)
  await at.button('Export').click()
  await inDialog('Cancel').waitFor()
  await at.page.clock.pauseAt(new Date(Date.now() + 60_000))
  await inDialog('Cancel').click()
  await at.page.clock.runFor(99)
  expect(await dialog().count()).toBe(1)
  await at.page.clock.runFor(1)
  await dialog().waitFor({ state: 'hidden' })
})

test('the dialogs can be used without seeing them', async () => {
  const problems = async () => {
    // Colours that are on their way are nobody's to read.
    await at.page.evaluate(async () => {
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
      await Promise.allSettled(ending.map(({ finished }) => finished))
    })
    await at.page.evaluate(axe)
    const found = await at.page.evaluate<{ id: string; impact: string; nodes: { html: string }[] }[]>(
      "axe.run('[role=dialog]').then(({ violations }) => violations)",
    )
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => [id, nodes[0]?.html])
  }
  await at.open(address)
  await at.button('Export').click()
  await inDialog('Export').waitFor()
  expect(await problems()).toEqual([])
  await inDialog('Cancel').click()
  await dialog().waitFor({ state: 'hidden' })
  await at.button('Import').click()
  await inDialog('CSV').waitFor()
  expect(await problems()).toEqual([])
  await choose(file('groups.csv'))
  await inDialog('Import').click()
  await inDialog('Continue').waitFor()
  expect(await problems()).toEqual([])
})

test('secrets are exported once the person has said again who they are', async () => {
  const secrets = '/api/v1/accounts/account-secrets/'
  let isConfirmed = false
  at.fixture.profile.perms.push('accounts.view_account')
  serveRows(at.fixture, Account, [])
  at.fixture.answers.set(`GET ${secrets}`, () =>
    isConfirmed
      ? { body: 'x', headers: { 'content-disposition': 'attachment; filename="accountsecret.csv"' } }
      : { status: 400, body: { code: 'mfa', detail: 'This action require confirm current user' } },
  )
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: { confirm_type: 'mfa', content: [{ name: 'otp', display_name: 'OTP', disabled: false }] },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/confirm/', () => {
    isConfirmed = true
    return { body: 'ok' }
  })
  await at.open('/ui/console/accounts/accounts')
  await at.button('Choose columns').waitFor()
  // Who may not read secrets exports none, and there is nothing else to export here.
  expect(await at.button('Export').count()).toBe(0)
  at.fixture.profile.perms.push('accounts.view_accountsecret')
  await at.page.reload()
  await at.button('Export').click()
  await inDialog('Export').click()
  const proof = at.page.getByRole('dialog', { name: 'Verify Current User' })
  await proof.getByRole('textbox').fill('123456')
  const [kept] = await Promise.all([
    at.page.waitForEvent('download'),
    proof.getByRole('button', { name: 'Confirm' }).click(),
  ])
  expect(kept.suggestedFilename()).toBe('accountsecret.csv')
})

test('nothing is imported where nothing can be made, nor by who may not; who may see exports', async () => {
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => !/(add|change)_usergroup/u.test(name))
  await at.open(address)
  await at.button('Export').waitFor()
  expect(await at.button('Import').count()).toBe(0)
  at.fixture.profile.perms.push('users.add_usergroup')
  const cookie = { name: 'X-JMS-ORG', value: organizations.root.id, url: at.fixture.origin }
  await at.page.context().addCookies([cookie])
  await at.page.evaluate(
    (root) => localStorage.setItem('jms_current_org_ann', JSON.stringify(root)),
    organizations.root,
  )
  await at.page.reload()
  await at.button('Export').waitFor()
  expect(await at.button('Import').count()).toBe(0)
})

test('ticked properties of several rows are changed at once; what is wrong with rows is told once', async () => {
  at.fixture.profile.perms.push('users.change_user')
  const people: Row[] = ['ann', 'ben'].map((username, index) => ({
    id: `7d1c0000-0000-4000-8000-00000000001${index}`,
    name: username,
    username,
  }))
  serveRows(at.fixture, User, people)
  const users = '/api/v1/users/users/'
  const write = at.fixture.answers.get(`PATCH ${users}`)
  at.fixture.answers.set(`PATCH ${users}`, () => ({
    status: 400,
    body: [{ comment: ['Too long.'] }, { comment: ['Too long.', 'Too loud.'] }],
  }))
  await at.open('/ui/console/users/users')
  for (const name of ['ann', 'ben']) await at.page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await at.button('Actions (2)').click()
  await at.page.getByRole('menuitem', { name: 'Update selected' }).click()
  await dialog().getByRole('checkbox', { name: 'Comment' }).check()
  await dialog().getByLabel('Comment').last().fill('Moved')
  await inDialog('Submit').click()
  await dialog().getByText('Too long.; Too long., Too loud.').waitFor()
  if (write) at.fixture.answers.set(`PATCH ${users}`, write)
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(sent('PATCH', users).at(-1)?.body).toEqual(people.map(({ id }) => ({ id, comment: 'Moved' })))
})

test('nothing is ticked at first, and nothing can be sent; a property that is ticked and left empty is emptied', async () => {
  at.fixture.profile.perms.push('users.change_user')
  const ann = { id: '7d1c0000-0000-4000-8000-000000000010', name: 'ann', username: 'ann', comment: 'Old' }
  serveRows(at.fixture, User, [ann])
  await at.open('/ui/console/users/users')
  await at.page.getByRole('checkbox', { name: 'Select ann' }).check()
  await at.button('Actions (1)').click()
  await at.page.getByRole('menuitem', { name: 'Update selected' }).click()
  await inDialog('Submit').waitFor()
  expect(await dialog().getByRole('checkbox', { checked: true }).count()).toBe(0)
  expect(await inDialog('Submit').isDisabled()).toBe(true)
  for (const name of ['Groups', 'Comment']) await dialog().getByRole('checkbox', { name }).check()
  await inDialog('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(sent('PATCH', '/api/v1/users/users/').at(-1)?.body).toEqual([
    { id: ann.id, groups: [], comment: '' },
  ])
})
