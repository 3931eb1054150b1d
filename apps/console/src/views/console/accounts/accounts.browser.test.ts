import { AccountTemplate, AccountTemplateSecret } from '@sallyport/contract/resources/account-templates'
import { Account, AccountSecret } from '@sallyport/contract/resources/accounts'
import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { Platform } from '@sallyport/contract/resources/platforms'
import { expect, test } from 'vitest'
import type { Row } from '../../../kit/api/resource.ts'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const idOf = (number: number) => `5a1c0000-0000-4000-8000-0000000000${10 + number}`
const assetId = idOf(1)
const nodeId = idOf(2)
const rootId = idOf(3)
const templateId = idOf(5)
const times = { date_created: '2026-11-20 08:00:00 +0000', date_updated: '2026-11-21 09:00:00 +0000' }
const password = { value: 'password', label: 'Password' }
const host = {
  id: assetId,
  name: 'web-1',
  address: '192.0.2.1',
  category: { value: 'host', label: 'Host' },
  type: { value: 'linux', label: 'Linux' },
  platform: { id: 1, name: 'Linux' },
  auto_info: {},
}
const account = (id: string, username: string): Row => ({
  ...times,
  id,
  name: username,
  username,
  secret_type: password,
  has_secret: true,
  spec_info: {},
  su_from: null,
  asset: host,
  version: 1,
  privileged: false,
  is_active: true,
  comment: '',
})
const list = `/api/v1/${Account.path}/`
const bulk = `${list}bulk/`

const at = consolePage((fixture) => {
  const { perms } = fixture.profile
  for (const action of ['add', 'change', 'delete', 'view'])
    perms.push(`accounts.${action}_account`, `accounts.${action}_accounttemplate`)
  perms.push('accounts.view_accountsecret', 'accounts.view_accounttemplatesecret', 'assets.view_node')
  const rows = [account(rootId, 'root'), account(idOf(4), 'deploy')]
  const template = { ...account(templateId, 'release'), name: 'Release', asset: undefined }
  serveRows(fixture, Account, rows)
  serveRows(fixture, AccountTemplate, [template])
  serveRows(fixture, Asset, [host])
  serveRows(fixture, Node, [
    { id: nodeId, name: 'Frankfurt', value: 'Frankfurt', full_value: '/DEFAULT/Frankfurt' },
  ])
  const protocol = { id: 1, name: 'ssh', port: 22, primary: true, secret_types: ['password', 'ssh_key'] }
  serveRows(fixture, Platform, [{ id: 1, name: 'Linux', protocols: [protocol], su_enabled: true }])
  fixture.answers.set(`GET ${list}su-from-accounts/`, () => ({ body: [rows[1]] }))
  serveRows(fixture, AccountSecret, [{ ...rows[0], secret: 'Root-secret-1' } as Row])
  serveRows(fixture, AccountTemplateSecret, [{ ...template, secret: 'Of-template-1' }])
})

const dialog = () => at.page.getByRole('dialog')
const radio = (name: string) => dialog().getByRole('radio', { name, exact: true })
const field = (name: string) => dialog().getByLabel(name, { exact: true })
const choose = async (name: string, title: string) => {
  await dialog().getByRole('combobox', { name }).click()
  await at.page.locator('.ant-select-dropdown').getByTitle(title).click()
  await at.page.keyboard.press('Tab')
}
async function openAdding() {
  await at.open('/ui/console/accounts/accounts')
  await at.page.getByRole('link', { name: 'root', exact: true }).waitFor()
  await at.button('Add account').click()
  await field('Username').waitFor()
}
const outcome = (value: string, label: string, error: string | null = null) => ({
  asset: { id: assetId, name: 'web-1', address: '192.0.2.1' },
  state: { value, label },
  error,
  account: null,
})

test.each([
  { kind: 'Password', type: 'password', takesPassphrase: false },
  { kind: 'SSH key', type: 'ssh_key', takesPassphrase: true },
  { kind: 'Access key', type: 'access_key', takesPassphrase: false },
  { kind: 'Token', type: 'token', takesPassphrase: false },
  { kind: 'API key', type: 'api_key', takesPassphrase: false },
])('an account is added with a secret of the kind $kind', async ({ kind, type, takesPassphrase }) => {
  at.fixture.answers.set(`POST ${bulk}`, () => ({ body: [outcome('created', 'Created')] }))
  await openAdding()
  await choose('Assets', 'web-1(192.0.2.1)')
  await field('Name').fill('root')
  expect(await field('Username').inputValue()).toBe('root')
  expect(await dialog().getByRole('switch', { name: 'Privileged' }).isChecked()).toBe(true)
  await radio(kind).check()
  await field('Secret').fill('something secret')
  expect(await field('Passphrase').count()).toBe(takesPassphrase ? 1 : 0)
  if (takesPassphrase) await field('Passphrase').fill('open me')
  await at.button('Confirm').click()
  await dialog().waitFor({ state: 'detached' })
  const sent = at.sentTo('POST', bulk)
  expect(sent).toMatchObject({
    assets: [assetId],
    name: 'root',
    username: 'root',
    secret_type: type,
    privileged: true,
    on_invalid: 'skip',
  })
  expect(sent).toHaveProperty('secret')
  expect(Object.hasOwn(sent as object, 'passphrase')).toBe(takesPassphrase)
})

test('who wants nothing to move finds the choices of a field where the field is', async () => {
  await at.page.emulateMedia({ reducedMotion: 'reduce' })
  await openAdding()
  await choose('Assets', 'web-1(192.0.2.1)')
  await dialog().getByTitle('web-1(192.0.2.1)').waitFor()
})

test('a name that only begins as that of a superuser makes no privileged account', async () => {
  await openAdding()
  const privileged = dialog().getByRole('switch', { name: 'Privileged' })
  await field('Name').fill('root')
  expect(await privileged.isChecked()).toBe(true)
  await field('Name').fill('rootless')
  expect(await privileged.isChecked()).toBe(false)
  await privileged.click()
  await field('Name').fill('deploy')
  expect(await privileged.isChecked()).toBe(true)
})

test('a key that is broken or locked is told at the field of the secret', async () => {
  const sentence = 'This private key is locked: give its passphrase.'
  at.fixture.answers.set(`POST ${bulk}`, () => ({ status: 400, body: [sentence] }))
  await openAdding()
  await choose('Assets', 'web-1(192.0.2.1)')
  await field('Name').fill('root')
  await radio('SSH key').check()
  await field('Secret').fill('-----BEGIN OPENSSH PRIVATE KEY-----')
  await at.button('Confirm').click()
  await dialog().locator('[data-field=secret]').getByText(sentence).waitFor()
  expect(await field('Secret').getAttribute('aria-invalid')).toBe('true')
  expect(await at.page.getByText(sentence).count()).toBe(1)
})

test('an account of a template is added to all below a node, and what became of each asset is told', async () => {
  at.fixture.answers.set(`POST ${bulk}`, () => ({
    body: [
      outcome('created', 'Created'),
      {
        ...outcome('skipped', 'Skipped', 'It is there already'),
        asset: { id: idOf(8), name: 'web-2', address: '192.0.2.2' },
      },
    ],
  }))
  await openAdding()
  await choose('Nodes', '/DEFAULT/Frankfurt')
  await choose('Account template', 'Release(release)')
  await field('Username').waitFor({ state: 'detached' })
  await radio('Change it').check()
  await at.button('Confirm').click()
  await dialog().getByText('1 created, 0 changed, 1 skipped, 0 with an error').waitFor()
  const told = dialog().getByRole('row').filter({ hasText: 'web-2' })
  await told.getByText('It is there already').waitFor()
  const sent = at.sentTo('POST', bulk)
  expect(sent).toMatchObject({ assets: [], nodes: [nodeId], template: templateId, on_invalid: 'update' })
  expect(sent).not.toHaveProperty('username')
})

test('an account that is on the asset already is refused in words', async () => {
  await at.open(`/ui/console/assets/assets/${assetId}?activeTab=Account`)
  at.fixture.answers.set(`POST ${list}`, () => ({
    status: 400,
    body: {
      non_field_errors: [
        'The fields username, asset, secret_type must make a unique set.',
        'The fields name, asset must make a unique set.',
      ],
    },
  }))
  await at.button('Add account').click()
  await field('Name').fill('root')
  await at.button('Confirm').click()
  await dialog().getByText('The asset has an account of this name').waitFor()
  expect(await dialog().getByText('unique set').count()).toBe(0)
})

test('the account one signs in as first is chosen where the account is shown', async () => {
  await at.open(`/ui/console/accounts/accounts/${rootId}`)
  await at.page.getByRole('combobox', { name: 'User switch from' }).click()
  await at.page.locator('.ant-select-dropdown').getByTitle('deploy(deploy)').click()
  await expect.poll(() => at.sentTo('PATCH', `${list}${rootId}/`)).toMatchObject({ su_from: idOf(4) })
})

test('an account tells what opened it before, who put that there and when', async () => {
  const own = `/api/v1/${AccountSecret.path}/${rootId}/histories/`
  const past = {
    id: rootId,
    secret: 'Root-secret-0',
    secret_type: password,
    version: 0,
    history_date: '2026-11-01 08:00:00 +0000',
    history_user: idOf(9),
    history_user_name: 'Ben',
  }
  at.fixture.answers.set(`GET ${own}`, () => ({ body: { count: 1, results: [past] } }))
  await at.open(`/ui/console/accounts/accounts/${rootId}`)
  await at.page.getByRole('region', { name: 'Quick update' }).getByRole('button', { name: 'View' }).click()
  await at.button('Past secrets (1)').click()
  const row = dialog().getByRole('row').filter({ hasText: 'Ben' })
  await row.getByRole('button', { name: 'Show' }).click()
  await row.getByText('Root-secret-0').waitFor()
})

test('a template is made, shown and seen, its secret after a confirmation alone', async () => {
  await at.open('/ui/console/accounts/account-template')
  await at.page.getByRole('link', { name: 'Release' }).waitFor()
  await at.button('Create').click()
  await at.page.getByLabel('Name', { exact: true }).fill('Backup')
  await at.page.getByLabel('Username', { exact: true }).fill('backup')
  await at.page.getByRole('radio', { name: 'Token', exact: true }).check()
  await at.page.getByLabel('Secret', { exact: true }).fill('token')
  await at.button('Submit').click()
  const path = `/api/v1/${AccountTemplate.path}/`
  await expect
    .poll(() => at.sentTo('POST', path))
    .toMatchObject({ name: 'Backup', username: 'backup', secret_type: 'token', secret: expect.any(String) })
  let isConfirmed = false
  const secret = `GET /api/v1/${AccountTemplateSecret.path}/${templateId}/`
  const served = at.fixture.answers.get(secret)
  at.fixture.answers.set(secret, (request) =>
    isConfirmed ? (served?.(request) ?? {}) : { status: 400, body: { code: 'mfa', detail: 'Confirm' } },
  )
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: {
      confirm_type: 'password',
      content: [{ name: 'password', display_name: 'Password', disabled: false }],
    },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/confirm/', () => {
    isConfirmed = true
    return { body: 'ok' }
  })
  await at.open(`/ui/console/accounts/account-template/${templateId}`)
  await at.page.getByRole('button', { name: 'View' }).click()
  await dialog().locator('input[type=password]').fill('A-password-of-9')
  await at.page.keyboard.press('Enter')
  await dialog().getByRole('button', { name: 'Show' }).click()
  await dialog().getByText('Of-template-1').waitFor()
})
