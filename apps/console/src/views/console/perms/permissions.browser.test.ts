import { Account } from '@sallyport/contract/resources/accounts'
import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { AssetPermission } from '@sallyport/contract/resources/perms'
import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const templateId = '9a1c0000-0000-4000-8000-000000000001'
const at = consolePage((fixture) => {
  fixture.profile.perms.push(
    'perms.view_assetpermission',
    'perms.add_assetpermission',
    'accounts.view_accounttemplate',
    'accounts.add_account',
  )
  serveRows(fixture, AssetPermission, [])
  serveRows(fixture, AccountTemplate, [{ id: templateId, name: 'Deployers', username: 'deployer' }])
  fixture.answers.set('GET /api/v1/accounts/accounts/username-suggestions/', () => ({ body: ['root'] }))
})

test('a permission is for all accounts, or for named ones, which stay when Tab leads on, and those of templates', async () => {
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Operations')
  const box = (name: RegExp) => at.page.getByRole('checkbox', { name })
  await expect.poll(() => box(/^All accounts/).isChecked()).toBe(true)
  await box(/^Specified accounts/).check()
  expect(await box(/^All accounts/).isChecked()).toBe(false)
  await at.page.getByRole('combobox', { name: 'Specified accounts' }).click()
  await at.page.keyboard.type('root')
  await at.page.keyboard.press('Enter')
  await at.page.keyboard.press('Tab')
  await at.page.getByRole('combobox', { name: 'Accounts of templates' }).click()
  await at.page
    .locator('.ant-select-dropdown')
    .getByTitle(/Deployers/)
    .click()
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('POST', `/api/v1/${AssetPermission.path}/`))
    .toMatchObject({
      name: 'Operations',
      accounts: ['@SPEC', 'root', `%${templateId}`],
    })
})

test('the name of an account can hold blanks, and only commas are between those typed at once', async () => {
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Operations')
  await at.page.getByRole('checkbox', { name: /^Specified accounts/ }).check()
  await at.page.getByRole('combobox', { name: 'Specified accounts' }).click()
  await at.page.keyboard.type('Domain Admin, root,')
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('POST', `/api/v1/${AssetPermission.path}/`))
    .toMatchObject({ accounts: ['@SPEC', 'Domain Admin', 'root'] })
})

test('specified accounts are to be named, and a new permission leads to its page', async () => {
  const posted = () => at.sentTo('POST', `/api/v1/${AssetPermission.path}/`)
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Operations')
  await at.page.getByRole('checkbox', { name: /^Specified accounts/ }).check()
  await at.button('Submit').click()
  await at.page.getByText('Name at least one account').waitFor()
  expect(posted()).toBeUndefined()
  await at.page.getByRole('combobox', { name: 'Specified accounts' }).click()
  await at.page.keyboard.type('root')
  await at.page.keyboard.press('Enter')
  await at.button('Submit').click()
  await expect.poll(posted).toMatchObject({ accounts: ['@SPEC', 'root'] })
  await at.page.waitForURL(/\/asset-permissions\/[0-9a-f-]{36}$/u)
})

test('on the page of a permission nothing is changed before an account is named', async () => {
  at.fixture.profile.perms.push('perms.change_assetpermission', 'accounts.view_account')
  const id = '9a1c0000-0000-4000-8000-000000000002'
  const empty = { users: [], user_groups: [], assets: [], nodes: [], actions: [] }
  const row = { id, name: 'Operations', ...empty, accounts: ['@ALL'], is_active: true, is_valid: true }
  serveRows(at.fixture, AssetPermission, [row])
  serveRows(at.fixture, Account, [])
  const own = `/api/v1/${AssetPermission.path}/${id}/`
  at.fixture.answers.set(`GET ${own}accounts/`, () => ({ body: [] }))
  await at.open(`/ui/console/perms/asset-permissions/${id}?activeTab=AssetPermissionAccount`)
  await at.page.getByRole('checkbox', { name: /^Specified accounts/ }).check()
  await at.page.getByText('Name at least one account').waitFor()
  expect(at.sentTo('PATCH', own)).toBeUndefined()
  await at.page.getByRole('combobox', { name: 'Specified accounts' }).click()
  await at.page.keyboard.type('root')
  await at.page.keyboard.press('Enter')
  await expect.poll(() => at.sentTo('PATCH', own)).toEqual({ accounts: ['@SPEC', 'root'] })
  await expect.poll(() => at.page.getByText('Name at least one account').count()).toBe(0)
})

test('at 1280 px the accounts of a permission are told whole, and what is missing looks as an error', async () => {
  at.fixture.profile.perms.push('perms.change_assetpermission', 'accounts.view_account')
  const id = '9a1c0000-0000-4000-8000-000000000004'
  const empty = { users: [], user_groups: [], assets: [], nodes: [], actions: [] }
  const row = { id, name: 'Operations', ...empty, accounts: ['@ALL'], is_active: true, is_valid: true }
  const account = {
    id: '9a1c0000-0000-4000-8000-000000000005',
    name: 'deployment-of-frankfurt',
    username: 'deployment-of-frankfurt',
    asset: { id: '9a1c0000-0000-4000-8000-000000000006', name: 'frankfurt-application-12' },
    secret_type: { value: 'password', label: 'Password' },
    connectivity: { value: 'unknown', label: 'Unknown' },
    source: { value: 'local', label: 'Local' },
    privileged: false,
  }
  serveRows(at.fixture, AssetPermission, [row])
  serveRows(at.fixture, Account, [account])
  const own = `/api/v1/${AssetPermission.path}/${id}/`
  at.fixture.answers.set(`GET ${own}accounts/`, () => ({ body: { count: 1, results: [account] } }))
  await at.open(`/ui/console/perms/asset-permissions/${id}?activeTab=AssetPermissionAccount`)
  const table = at.page.getByRole('table')
  await table.getByText('Unknown').waitFor()
  const cut = await table
    .locator('th:not(:last-child), td:not(:last-child)')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
    )
  expect(cut).toEqual([])
  await at.page.getByRole('checkbox', { name: /^Specified accounts/ }).check()
  await at.page.locator('.ant-alert-error', { hasText: 'Name at least one account' }).waitFor()
})

test('where two people change the accounts at once, both ways are told in words', async () => {
  at.fixture.profile.perms.push('perms.change_assetpermission')
  const id = '9a1c0000-0000-4000-8000-000000000003'
  const empty = {
    users: [],
    user_groups: [],
    assets: [],
    nodes: [],
    actions: [{ value: 'connect', label: 'Connect' }],
  }
  const dates = { date_start: '2026/01/02 03:04:05 +0000', date_expired: '2036/01/02 03:04:05 +0000' }
  const row = {
    id,
    name: 'Operations',
    ...empty,
    ...dates,
    accounts: ['@ALL'],
    is_active: true,
    is_valid: true,
  }
  serveRows(at.fixture, AssetPermission, [row])
  await at.open(`/ui/console/perms/asset-permissions/${id}/update`)
  await at.page.getByRole('checkbox', { name: /^Manual input/ }).check()
  const theirs = { ...row, accounts: ['@USER'] }
  at.fixture.answers.set(`GET /api/v1/${AssetPermission.path}/${id}/`, () => ({ body: theirs }))
  await at.button('Submit').click()
  const conflict = at.page.getByRole('alert').filter({ hasText: 'Same account' })
  await conflict.getByText('All accounts, Manual input').waitFor()
})

test('the list and the page of a permission say why it is not valid', async () => {
  const [before, later] = ['2020-01-01T00:00:00Z', '2099-01-01T00:00:00Z']
  const permission = (number: number, name: string, more: object) => ({
    id: `9a1c0000-0000-4000-8000-00000000001${number}`,
    name,
    users: [{ id: 'u1', name: 'Ann' }],
    user_groups: [],
    assets: [{ id: 'a1', name: 'web' }],
    nodes: [],
    accounts: ['@ALL'],
    actions: [{ value: 'connect', label: 'Connect' }],
    is_active: true,
    is_valid: false,
    date_start: before,
    date_expired: later,
    ...more,
  })
  serveRows(at.fixture, AssetPermission, [
    permission(1, 'on', { is_valid: true }),
    permission(2, 'future', { date_start: later }),
    permission(3, 'past', { date_expired: before }),
    permission(4, 'off', { is_active: false, date_expired: before }),
    permission(5, 'nobody', { is_valid: true, users: [] }),
  ])
  await at.open('/ui/console/perms/asset-permissions')
  await at.page.locator('tbody tr').nth(4).waitFor()
  expect(await at.page.locator('td[data-name=is_valid]').allTextContents()).toEqual([
    'Valid',
    'Not begun',
    'Ended',
    'Disabled',
    'No effect',
  ])
  await at.page.getByRole('link', { name: 'future' }).click()
  await at.page.getByText('Not begun', { exact: true }).waitFor()
})
