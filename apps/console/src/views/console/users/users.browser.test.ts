import { LoginAcl } from '@sallyport/contract/resources/acls'
import { OrgRole, SystemRole } from '@sallyport/contract/resources/rbac'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { AssetPermission, GrantedAsset } from '@sallyport/contract/resources/perms'
import { expect, test } from 'vitest'
import type { Organization } from '../../../kit/session/types.ts'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'
import { organizations } from '../../../testing/fixture-server.ts'
import { mayChange } from '../../../testing/form-rows.ts'

const ben = {
  id: '7d1c0000-0000-4000-8000-000000000009',
  name: 'Ben',
  username: 'ben',
  email: 'ben@example.com',
  source: { value: 'local', label: 'Database' },
  mfa_level: { value: 0, label: 'Disabled' },
  groups: [],
  system_roles: [],
  org_roles: [],
  is_active: true,
  comment: '',
}

const at = consolePage((fixture) => {
  mayChange(fixture)
  fixture.settings.XPACK_LICENSE_IS_VALID = false
  serveRows(fixture, User, [ben])
})

const radio = (name: string) => at.page.getByRole('radio', { name, exact: true })

test('a user who is switched off is told as disabled, and one who is not valid for another reason as such', async () => {
  const of = (id: string, more: object) => ({
    ...ben,
    id: `7d1c0000-0000-4000-8000-0000000000${id}`,
    ...more,
  })
  serveRows(at.fixture, User, [
    of('21', { name: 'Off', is_active: false, is_valid: false }),
    of('22', { name: 'Late', is_valid: false }),
    of('23', { name: 'Here', is_valid: true }),
  ])
  await at.open('/ui/console/users/users')
  const cells = at.page.locator('td[data-name=is_valid]')
  await expect.poll(() => cells.allTextContents()).toEqual(['Disabled', 'Not valid', 'Valid'])
  await at.page.getByRole('link', { name: 'Late' }).click()
  await at.page.getByRole('tabpanel').getByText('Not valid', { exact: true }).waitFor()
})

test('while mail is not set up a new user is given a password, and the form says why', async () => {
  await at.open('/ui/console/users/users/create')
  await at.page.getByText('Mail is not set up').waitFor()
  expect(await radio('Set password').isChecked()).toBe(true)
  expect(await at.page.getByRole('radio', { name: /link/iu }).isDisabled()).toBe(true)
  await at.page.getByLabel('Password', { exact: true }).waitFor()
})

test('somebody whose password is kept in the directory is given none here', async () => {
  await at.open('/ui/console/users/users/create')
  const password = at.page.getByLabel('Password', { exact: true })
  await password.waitFor()
  await at.page.getByRole('combobox', { name: 'Source' }).click()
  await at.page.getByText('LDAP/AD', { exact: true }).click()
  await password.waitFor({ state: 'detached' })
  expect(await at.page.getByRole('checkbox', { name: 'next login' }).count()).toBe(0)
  await at.page.getByLabel('Name', { exact: true }).fill('Dee')
  await at.page.getByLabel('Username').fill('dee')
  await at.page.getByLabel('Email').fill('dee@example.com')
  await at.button('Submit').click()
  await expect.poll(() => at.sentTo('POST', '/api/v1/users/users/')).toMatchObject({ source: 'ldap' })
  expect(at.sentTo('POST', '/api/v1/users/users/')).not.toHaveProperty('password')
  expect(at.sentTo('POST', '/api/v1/users/users/')).not.toHaveProperty('need_update_password')
})

test('while mail can be sent a new user gets a link unless a password is chosen', async () => {
  at.fixture.settings.EMAIL_ENABLED = true
  await at.open('/ui/console/users/users/create')
  const link = at.page.getByRole('radio', { name: /link/iu })
  await link.waitFor()
  expect(await link.isChecked()).toBe(true)
  expect(await at.page.getByText('Mail is not set up').count()).toBe(0)
  await radio('Set password').check()
  await at.page.getByLabel('Password', { exact: true }).waitFor()
})

test('a second factor is left to the person, asked for, or required', async () => {
  await at.open(`/ui/console/users/users/${ben.id}/update`)
  for (const level of ['Off', 'On', 'Required']) {
    await radio(level).check()
  }
  await at.button('Submit').click()
  await at.page.waitForURL(/\/users\/users(?:\?|$)/u)
  expect(at.sentTo('PUT', `/api/v1/users/users/${ben.id}/`)).toMatchObject({ mfa_level: 2 })
})

test('the box to set a password can be ticked and unticked with the keyboard', async () => {
  await at.open(`/ui/console/users/users/${ben.id}/update`)
  const box = at.page.getByRole('checkbox', { name: 'Update password' })
  await box.focus()
  await at.page.keyboard.press('Space')
  await at.page.getByLabel('Password', { exact: true }).waitFor()
  expect(await box.evaluate((element) => document.activeElement === element)).toBe(true)
  await at.page.keyboard.press('Space')
  await at.page.getByLabel('Password', { exact: true }).waitFor({ state: 'detached' })
  expect(await box.evaluate((element) => document.activeElement === element)).toBe(true)
})

test('a password reset is offered only while a link can be sent, and a reset says what comes of it', async () => {
  const why = 'Mail is not set up, so no link can be sent.'
  serveRows(at.fixture, User, [{ ...ben, may: { sendPasswordReset: why, resetMfa: true } }])
  await at.open(`/ui/console/users/users/${ben.id}`)
  const line = (name: string) =>
    at.page.getByRole('region', { name: 'Quick update' }).locator('div').filter({ hasText: name }).last()
  const send = line('Reset password').getByRole('button')
  await send.waitFor()
  expect(await send.isDisabled()).toBe(true)
  expect(await send.getAttribute('title')).toBe(why)
  await line('Reset MFA').getByRole('button').click()
  await at.page.getByRole('dialog').getByText('The second factor of Ben is removed.').waitFor()
})

test('somebody of another organization is invited with roles in this one, by who may, and not into all of them', async () => {
  const { fixture, page } = at
  const zoe = { ...ben, id: '7d1c0000-0000-4000-8000-00000000000a', name: 'Zoe', username: 'zoe' }
  const role = { id: '00000000-0000-4000-8000-000000000007', name: 'OrgUser', display_name: 'Org user' }
  const members = [ben]
  const list = '/api/v1/users/users/'
  fixture.settings.XPACK_LICENSE_IS_VALID = true
  serveRows(fixture, User, members)
  serveRows(fixture, OrgRole, [role])
  fixture.answers.set(`GET ${list}suggestions/`, () => ({
    body: [{ id: zoe.id, name: zoe.name, username: zoe.username }],
  }))
  fixture.answers.set(`POST ${list}invite/`, () => {
    members.push(zoe)
    return { status: 201, body: { users: [zoe.id], org_roles: [role] } }
  })
  const dialog = page.getByRole('dialog')
  const choose = async (field: string, title: string) => {
    await dialog.getByRole('combobox', { name: field }).click()
    await page.locator('.ant-select-dropdown').getByTitle(title).click()
    await dialog.getByText('Invite user in this organization').click()
  }
  const visit = async (organization: Organization) => {
    await at.open(`/ui/console/users/users?oid=${organization.id}`)
    await page.getByRole('link', { name: 'Ben', exact: true }).waitFor()
  }
  await visit(organizations.standard)
  expect(await at.button('Invite').count()).toBe(0)
  fixture.profile.perms.push('users.invite_user', 'users.match_user', 'rbac.view_orgrole')
  await visit(organizations.root)
  expect(await at.button('Invite').count()).toBe(0)
  await visit(organizations.standard)
  await at.button('Invite').click()
  await choose('Users', 'Zoe(zoe)')
  await choose('Organization roles', 'Org user')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('The users were invited').waitFor()
  await page.getByRole('link', { name: 'Zoe', exact: true }).waitFor()
  expect(at.sentTo('POST', `${list}invite/`)).toEqual({ users: [zoe.id], org_roles: [role.id] })
})

test('people are narrowed by the roles they hold, which are chosen by name', async () => {
  const { fixture, page } = at
  const role = (id: string, name: string) => ({ id, name, display_name: name, scope: { value: 'system' } })
  const auditor = role('00000000-0000-0000-0000-000000000002', 'System auditor')
  serveRows(fixture, SystemRole, [role('00000000-0000-0000-0000-000000000003', 'Ordinary'), auditor])
  fixture.profile.perms.push('rbac.view_systemrole', 'rbac.view_systemrolebinding')
  await at.open('/ui/console/users/users')
  await page.getByRole('link', { name: 'Ben', exact: true }).waitFor()
  const fields = at.button('Search by field')
  expect(await fields.getAttribute('aria-haspopup')).toBe('menu')
  await fields.press('ArrowDown')
  await page.getByRole('menuitem', { name: 'System roles' }).waitFor()
  expect(await fields.getAttribute('aria-expanded')).toBe('true')
  expect(await page.getByRole('menuitem', { name: 'Organization roles' }).count()).toBe(0)
  const here = () => page.evaluate(() => document.activeElement?.textContent)
  await expect.poll(here).not.toBe('')
  const first = await here()
  await page.keyboard.press('ArrowDown')
  await expect.poll(here).not.toBe(first)
  await page.getByRole('menuitem', { name: 'System roles' }).press('ArrowRight')
  await expect.poll(here).toBe('Ordinary')
  // Out of the roles again, and not out of the menu.
  await page.keyboard.press('ArrowLeft')
  await expect.poll(here).toContain('System roles')
  await page.keyboard.press('Enter')
  await expect.poll(here).toBe('Ordinary')
  await page.keyboard.press('ArrowDown')
  await expect.poll(here).toBe('System auditor')
  await page.keyboard.press('Enter')
  await expect.poll(() => fields.evaluate((button) => button === document.activeElement)).toBe(true)
  expect(await fields.getAttribute('aria-expanded')).toBe('false')
  await page.getByRole('button', { name: 'System roles: System auditor' }).waitFor()
  const isNarrowed = () =>
    fixture.requests.some(
      ({ path, query }) => path === '/api/v1/users/users/' && query.get('system_roles') === auditor.id,
    )
  await expect.poll(isNarrowed).toBe(true)
})

test('the list tells of roles in an organization where there is one, and of flags that are set alone', async () => {
  const { fixture, page } = at
  fixture.settings.XPACK_LICENSE_IS_VALID = true
  serveRows(fixture, User, [
    { ...ben, login_blocked: true, is_expired: false },
    { ...ben, id: '7d1c0000-0000-4000-8000-00000000000b', name: 'Cleo', login_blocked: false },
  ])
  const heading = page.getByRole('columnheader', { name: 'Organization roles' })
  for (const [{ id }, count] of [
    [organizations.standard, 1],
    [organizations.root, 0],
  ] as const) {
    await at.open(`/ui/console/users/users?oid=${id}`)
    await page.getByRole('link', { name: 'Ben', exact: true }).waitFor()
    expect(await heading.count()).toBe(count)
  }
  await at.button('Choose columns').click()
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Login locked' }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })
  await rowOf('Ben').getByRole('cell', { name: 'Yes' }).waitFor()
  expect(await rowOf('Cleo').getByRole('cell', { name: 'No', exact: true }).count()).toBe(0)
})

test('a copy of somebody is in no group until one is chosen', async () => {
  const group = { id: '0c2f0000-0000-4000-8000-000000000001', name: 'Operators' }
  at.fixture.settings.EMAIL_ENABLED = true
  serveRows(at.fixture, UserGroup, [group])
  serveRows(at.fixture, User, [{ ...ben, groups: [group], wechat: 'ben-w' }])
  await at.open(`/ui/console/users/users/create?clone_from=${ben.id}`)
  await at.page.getByLabel('Username', { exact: true }).fill('ben2')
  await at.page.getByLabel('Email', { exact: true }).fill('ben2@example.com')
  await at.button('Submit').click()
  await at.page.waitForURL(/\/users\/users(?:\?|$)/u)
  const sent = at.sentTo('POST', '/api/v1/users/users/') as Record<string, unknown>
  expect(sent).toMatchObject({ username: 'ben2', wechat: 'ben-w' })
  expect(sent['groups'] ?? []).toEqual([])
})

test('a login rule made as the form begins applies at all hours, and one that would never apply is refused', async () => {
  at.fixture.profile.perms.push('acls.view_loginacl', 'acls.add_loginacl')
  serveRows(at.fixture, LoginAcl, [])
  await at.open(`/ui/console/users/users/user-acl/create?user=${ben.id}`)
  await at.page.getByLabel('Name', { exact: true }).fill('Always')
  expect(await at.page.getByLabel('Monday').inputValue()).toBe('00:00~00:00')
  await at.button('Clear selection').click()
  await at.button('Submit').click()
  await at.page.getByText('the rule would never apply').waitFor()
  expect(at.sentTo('POST', '/api/v1/acls/login-acls/')).toBeUndefined()
  await at.button('Select all').click()
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('POST', '/api/v1/acls/login-acls/'))
    .toMatchObject({
      rules: {
        ip_group: ['*'],
        time_period: [1, 2, 3, 4, 5, 6, 0].map((id) => ({ id, value: '00:00~00:00' })),
      },
    })
})

test('of an asset somebody reaches it is told by which permissions', async () => {
  const { fixture, page } = at
  fixture.profile.perms.push('perms.view_userassets', 'assets.view_asset', 'perms.view_assetpermission')
  const asset = {
    id: '4a1c0000-0000-4000-8000-000000000001',
    name: 'web-1',
    address: '192.0.2.1',
    category: { value: 'host', label: 'Host' },
    type: { value: 'linux', label: 'Linux' },
    platform: { id: 1, name: 'Linux' },
    protocols: [{ name: 'ssh', port: 22 }],
    labels: [],
  }
  const of = `/api/v1/perms/users/${ben.id}/`
  fixture.answers.set(`GET ${of}nodes/children/tree/`, () => ({ body: [] }))
  serveRows(fixture, GrantedAsset, [])
  fixture.answers.set(`GET ${of}assets/`, () => ({ body: { count: 1, results: [asset] } }))
  serveRows(fixture, AssetPermission, [])
  fixture.answers.set(`GET /api/v1/assets/assets/${asset.id}/perm-users/${ben.id}/permissions/`, () => ({
    body: { count: 1, results: [{ id: asset.id, name: 'Night shift', is_active: true, is_valid: true }] },
  }))
  await at.open(`/ui/console/users/users/${ben.id}`)
  await page.getByRole('tab', { name: 'Granted assets' }).click()
  await page.getByRole('row', { name: /web-1/u }).getByRole('button', { name: 'View permissions' }).click()
  const dialog = page.getByRole('dialog', { name: /^Asset permissions: .* on web-1$/u })
  await dialog.getByText('Night shift').waitFor()
})
