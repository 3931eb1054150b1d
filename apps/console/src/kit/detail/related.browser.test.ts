import { Account } from '@sallyport/contract/resources/accounts'
import { Asset } from '@sallyport/contract/resources/assets'
import { User, UserGroup, UserGroupRelation } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import {
  accountId,
  groupAddress,
  hostId,
  mayChange,
  serveAccounts,
  serveGroup,
} from '../../testing/form-rows.ts'

const at = consolePage(mayChange)
const relations = `/api/v1/${UserGroupRelation.path}/`
const ben = { id: '7d1c0000-0000-4000-8000-000000000009', name: 'Ben', username: 'ben' }
const cleo = { id: '7d1c0000-0000-4000-8000-00000000000a', name: 'Cleo', username: 'cleo' }
const asset = {
  id: hostId,
  name: 'web-1',
  platform: { id: 1, name: 'Linux' },
  category: { value: 'host', label: 'Host' },
  nodes: [],
  labels: [],
  protocols: [],
}

test('members are added and taken away one by one, and what the person has no right to is closed', async () => {
  const group = serveGroup(at.fixture)
  group['users'] = [ben]
  serveRows(at.fixture, User, [ben, cleo])
  at.fixture.answers.set(`POST ${relations}`, () => {
    group['users'] = [ben, cleo]
    return { status: 201, body: [] }
  })
  await at.open(groupAddress)
  const card = at.page.getByRole('region', { name: 'Members' })
  expect(await card.getByRole('button', { name: 'Remove Ben(ben)' }).isDisabled()).toBe(true)
  await card.getByRole('combobox').click()
  await at.page.getByTitle('Cleo(cleo)').click()
  await at.button('Add').click()
  await card.getByText('Cleo(cleo)', { exact: true }).waitFor()
  expect(at.sentTo('POST', relations)).toEqual([{ usergroup: group.id, user: cleo.id }])
})

test('members whose names are still asked for wait for them, and are never shown as ids', async () => {
  serveGroup(at.fixture)['users'] = [{ id: cleo.id }]
  serveRows(at.fixture, User, [cleo])
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await at.page.route('**/api/v1/common/resources/cache/', async (request) => {
    await held
    await request.continue()
  })
  await at.open(groupAddress)
  const card = at.page.getByRole('region', { name: 'Members' })
  await card.getByRole('listitem').waitFor()
  expect(await card.getByRole('listitem').textContent()).toBe('')
  answer()
  await card.getByText('Cleo(cleo)', { exact: true }).waitFor()
})

test('rows that belong to a row are listed in a tab of their own, and lead to their screens', async () => {
  serveRows(at.fixture, Asset, [asset])
  serveAccounts(at.fixture)
  await at.open(`/ui/console/assets/assets/${hostId}`)
  await at.page.getByRole('tab', { name: 'Accounts' }).click()
  const link = at.page.getByRole('link', { name: 'deploy' })
  await link.waitFor()
  expect(new URL(await link.evaluate((element: HTMLAnchorElement) => element.href)).pathname).toBe(
    `/ui/console/accounts/accounts/${accountId}`,
  )
  const list = `/api/v1/${Account.path}/`
  expect(at.fixture.requests.findLast(({ path }) => path === list)?.query.get('asset')).toBe(hostId)
  await at.page.getByRole('button', { name: 'Add account' }).click()
  await at.page.getByRole('dialog', { name: 'Add account' }).waitFor()
})

test('a related tab is not there without the right to see its rows', async () => {
  const { perms } = at.fixture.profile
  at.fixture.profile.perms = perms.filter((name) => name !== 'accounts.view_account')
  serveRows(at.fixture, Asset, [asset])
  await at.open(`/ui/console/assets/assets/${hostId}`)
  await at.page.getByRole('tab', { name: 'Authorized users' }).waitFor()
  expect(await at.page.getByRole('tab', { name: 'Accounts' }).count()).toBe(0)
})

test('rows of a list of their own are what a declared call answers', async () => {
  serveRows(at.fixture, Asset, [asset])
  serveRows(at.fixture, UserGroup, [])
  serveRows(at.fixture, User, [])
  const grants = `/api/v1/assets/assets/${hostId}`
  at.fixture.answers.set(`GET ${grants}/perm-users/`, () => ({ body: [{ ...ben, is_valid: true }] }))
  at.fixture.answers.set(`GET ${grants}/perm-user-groups/`, () => ({ body: [] }))
  await at.open(`/ui/console/assets/assets/${hostId}?activeTab=PermUserList`)
  await at.page.getByRole('link', { name: 'Ben' }).waitFor()
  await at.button('View permissions').click()
  await at.page.getByRole('dialog', { name: 'Asset permissions' }).waitFor()
  const permissions = `${grants}/perm-users/${ben.id}/permissions/`
  await expect.poll(() => at.fixture.requests.some(({ path }) => path === permissions)).toBe(true)
})
