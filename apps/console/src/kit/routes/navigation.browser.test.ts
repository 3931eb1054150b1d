import { Session } from '@sallyport/contract/resources/terminal'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { organizations } from '../../testing/fixture-server.ts'

const { plant, standard } = organizations

const at = consolePage(
  (fixture) => {
    fixture.profile.perms.push('users.change_usergroup', 'terminal.view_sessionreplay')
    const id = (index: number) => `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`
    serveRows(fixture, UserGroup, [{ id: id(0), name: 'Databases', users: [], users_amount: 0, comment: '' }])
    serveRows(fixture, User, [])
    serveRows(
      fixture,
      Session,
      Array.from({ length: 37 }, (_, index) => ({
        id: id(index),
        user: `Person ${String(index).padStart(2, '0')}`,
        asset: 'web-01',
        account: 'root(root)',
        protocol: 'ssh',
        date_start: '2026/03/01 10:00:00 +0000',
        date_end: '2026/03/01 11:00:00 +0000',
        is_finished: true,
      })),
    )
  },
  { widthPx: 1600, organization: standard },
)

const address = () => new URL(at.page.url())
/** The organizations rows were asked for in. */
const organizationsAsked = (path: string) =>
  new Set(
    at.fixture.requests
      .filter((request) => request.path.startsWith(path))
      .map(({ headers }) => headers['x-jms-org']),
  )

test('an address that names an organization keeps it through links, forms, tabs and Back', async () => {
  await at.open(`/ui/console/users/groups?oid=${plant.id}`)
  await at.page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  await at.page.getByRole('link', { name: 'Databases' }).click()
  await at.page.getByRole('heading', { name: 'User group: Databases' }).waitFor()
  expect(address().searchParams.get('oid')).toBe(plant.id)
  await at.page.getByRole('tab').first().click()
  expect(address().searchParams.get('oid')).toBe(plant.id)
  await at.page.getByRole('button', { name: 'Update' }).click()
  await at.page.getByLabel('Comment').fill('Look after them')
  await at.page.getByRole('button', { name: 'Submit' }).click()
  await at.page.getByText('was saved').waitFor()
  await at.page.getByRole('heading', { name: 'User group: Databases' }).waitFor()
  await at.page.getByRole('link', { name: 'Users', exact: true }).click()
  await at.page.waitForURL(/users\/users\?oid=/u)
  await at.page.goBack()
  await at.page.getByRole('heading', { name: 'User group: Databases' }).waitFor()
  expect(address().searchParams.get('oid')).toBe(plant.id)
  expect(organizationsAsked('/api/v1/users/groups/')).toEqual(new Set([plant.id]))
  expect(organizationsAsked('/api/v1/users/users/')).toEqual(new Set([plant.id]))
})

test('an address that names an organization is no choice: the next page is in the one chosen', async () => {
  await at.open(`/ui/console/users/groups?oid=${plant.id}`)
  await at.page.getByRole('button', { name: 'Organization: Plant' }).waitFor()
  await at.open('/ui/console/users/groups')
  await at.page.getByRole('button', { name: 'Organization: DEFAULT' }).waitFor()
})

test('Back from a session returns to the tab and the page of the list it was opened from', async () => {
  await at.open('/ui/audit/sessions/sessions')
  await at.page.getByRole('tab', { name: 'Ended' }).click()
  await at.page.getByRole('link', { name: 'Person 00' }).waitFor()
  await at.page.getByRole('button', { name: '2', exact: true }).click()
  await at.page.getByRole('link', { name: 'Person 20' }).click()
  await at.page.getByRole('tab', { name: 'Commands' }).click()
  await at.page.goBack()
  await at.page.getByRole('link', { name: 'Person 20' }).waitFor()
  expect(await at.page.getByRole('tab', { selected: true }).textContent()).toContain('Ended')
  await at.page.getByRole('tab', { name: 'Online' }).click()
  await at.page.getByRole('link', { name: 'Person 00' }).waitFor()
  await at.page.getByRole('tab', { name: 'Ended' }).click()
  await at.page.getByRole('link', { name: 'Person 20' }).waitFor()
})

test('the tabs of sessions ask for those that run and those that ended', async () => {
  await at.open('/ui/audit/sessions/sessions')
  await at.page.getByRole('link', { name: 'Person 00' }).waitFor()
  await at.page.getByRole('tab', { name: 'Ended' }).click()
  await at.page.getByRole('button', { name: 'Download' }).first().waitFor()
  const asked = at.fixture.requests
    .filter(({ method, path }) => method === 'GET' && path === '/api/v1/terminal/sessions/')
    .map(({ query }) => query.get('is_finished'))
  expect(asked[0]).toBe('false')
  expect(asked.at(-1)).toBe('true')
})
