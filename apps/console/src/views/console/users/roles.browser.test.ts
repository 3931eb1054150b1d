import { OrgRole, OrgRoleBinding, SystemRole } from '@sallyport/contract/resources/rbac'
import { User } from '@sallyport/contract/resources/users'
import { beforeEach, expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const helpdesk = {
  id: '9d1c0000-0000-4000-8000-000000000001',
  name: 'Helpdesk',
  display_name: 'Helpdesk',
  scope: { value: 'org', label: 'Organization' },
  users_amount: 1,
  builtin: false,
  comment: '',
}
const builtin = {
  ...helpdesk,
  id: '00000000-0000-0000-0000-000000000007',
  name: 'OrgUser',
  display_name: 'OrgUser',
  builtin: true,
}
const ben = { id: '7d1c0000-0000-4000-8000-000000000009', name: 'Ben', username: 'ben' }
const node = (id: string, title: string, pId: string, more: object = {}) => ({
  id,
  name: title,
  title,
  pId,
  isParent: false,
  open: true,
  checked: false,
  chkDisabled: false,
  ...more,
})
const parent = { isParent: true }
const tree = (chkDisabled: boolean) =>
  [
    node('1', 'users.view_user', 'users.user', { name: 'View user', checked: true }),
    node('2', 'users.add_user', 'users.user', { name: 'Add user' }),
    node('3', 'users.delete_user', 'users.user', { name: 'Delete user' }),
    node('4', 'assets.view_asset', 'assets', { name: 'View asset' }),
    node('$ROOT$', '$ROOT$', '', { ...parent, name: 'All permissions(1/4)' }),
    node('users', 'users', '$ROOT$', { ...parent, name: 'Users(1/3)' }),
    node('users.user', 'users.user', 'users', { ...parent, name: 'User(1/3)' }),
    node('assets', 'assets', '$ROOT$', { ...parent, name: 'Assets(0/1)' }),
  ].map((one) => ({ ...one, chkDisabled }))

const at = consolePage((fixture) => {
  fixture.profile.perms.push(
    ...['view', 'add', 'change', 'delete'].flatMap((verb) => [
      `rbac.${verb}_systemrole`,
      `rbac.${verb}_orgrole`,
    ]),
    'rbac.view_orgrolebinding',
    'rbac.add_orgrolebinding',
    'rbac.delete_orgrolebinding',
  )
  serveRows(fixture, SystemRole, [])
  serveRows(fixture, OrgRole, [builtin, helpdesk])
  serveRows(fixture, OrgRoleBinding, [])
  serveRows(fixture, User, [ben])
  for (const [{ id }, fixed] of [
    [helpdesk, false],
    [builtin, true],
  ] as const)
    fixture.answers.set(`GET /api/v1/rbac/org-roles/${id}/permissions/tree/`, () => ({ body: tree(fixed) }))
})

const item = (name: string) => at.page.getByRole('treeitem', { name, exact: true })
const stateOf = (name: string) => item(name).getAttribute('aria-checked')
const update = () =>
  at.page.getByRole('region', { name: 'Permissions' }).getByRole('button', { name: 'Update' })

beforeEach(async () => {
  await at.open('/ui/console/users/roles?activeTab=OrgRoleList')
  await at.page.getByRole('link', { name: 'Helpdesk' }).waitFor()
})

test('roles are listed by their scope, and lead to a form and a page of that scope', async () => {
  await at.page.getByRole('tab', { name: 'System roles' }).waitFor()
  await at.button('Create').click()
  await at.page.getByLabel('Name').fill('Second line')
  await at.button('Submit').click()
  await at.page.getByRole('heading', { name: 'Role: Second line' }).waitFor()
  expect(at.sentTo('POST', '/api/v1/rbac/org-roles/')).toMatchObject({ name: 'Second line', scope: 'org' })
  expect(new URL(at.page.url()).searchParams.get('scope')).toBe('org')
})

test('a tick brings what it needs, counts and half-ticked parents follow, and the whole is saved', async () => {
  await at.page.getByRole('link', { name: 'Helpdesk' }).click()
  await item('User(1/3)').waitFor()
  expect(await stateOf('User(1/3)')).toBe('mixed')
  expect(await update().isDisabled()).toBe(true)
  await item('View user').getByRole('checkbox').click()
  await item('User(0/3)').waitFor()
  await item('Add user').getByRole('checkbox').click()
  await item('User(2/3)').waitFor()
  expect(await stateOf('View user')).toBe('true')
  expect(await stateOf('All permissions(2/4)')).toBe('mixed')
  await item('Assets(0/1)').getByRole('checkbox').click()
  await item('Assets(1/1)').waitFor()
  await update().click()
  await at.page.getByText('Saved successfully').waitFor()
  const sent = at.sentTo('PATCH', `/api/v1/rbac/org-roles/${helpdesk.id}/`)
  expect(sent).toEqual({ permissions: [1, 2, 4] })
})

test('a permission is found by typing', async () => {
  await at.page.getByRole('link', { name: 'Helpdesk' }).click()
  await item('View asset').waitFor()
  await at.page.getByRole('region', { name: 'Permissions' }).getByRole('searchbox').fill('delete')
  await item('View asset').waitFor({ state: 'detached' })
  await item('Delete user').waitFor()
})

test('a built-in role can be read only', async () => {
  await at.page.getByRole('link', { name: 'OrgUser' }).click()
  await item('View user').waitFor()
  expect(await update().isDisabled()).toBe(true)
  expect(await item('View user').getByRole('checkbox').isDisabled()).toBe(true)
  const headings = at.page.getByRole('heading', { name: 'Role: OrgUser' }).locator('..')
  expect(await headings.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
})

test('people are given a role on its page', async () => {
  at.fixture.answers.set('POST /api/v1/rbac/org-role-bindings/', () => ({ status: 201, body: [] }))
  await at.page.getByRole('link', { name: 'Helpdesk' }).click()
  await at.page.getByRole('tab', { name: 'Users of the role' }).click()
  const card = at.page.getByRole('region', { name: 'Members' })
  await card.getByRole('combobox').click()
  await at.page.getByTitle('Ben(ben)').click()
  await at.button('Add').click()
  await expect
    .poll(() => at.sentTo('POST', '/api/v1/rbac/org-role-bindings/'))
    .toEqual([{ user: ben.id, role: helpdesk.id, scope: 'org' }])
})

test('files make new roles and change none', async () => {
  await at.button('Import').click()
  const dialog = at.page.getByRole('dialog')
  await dialog.waitFor()
  await dialog.getByText('template', { exact: false }).first().waitFor()
  expect(await dialog.getByRole('radio', { name: 'Update' }).count()).toBe(0)
})

test('without a licence there are no roles to manage', async () => {
  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  await at.open('/ui/console/users/roles')
  await at.page.getByRole('heading', { name: 'Page not found' }).waitFor()
})
