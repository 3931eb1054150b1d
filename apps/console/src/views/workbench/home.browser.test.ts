import { MyLoginLog } from '@sallyport/contract/resources/audits'
import { GrantedAsset } from '@sallyport/contract/resources/perms'
import { MySession } from '@sallyport/contract/resources/terminal'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'

const session = {
  id: '8d1c0000-0000-4000-8000-000000000001',
  asset_id: '4a1c0000-0000-4000-8000-000000000001',
  asset: 'frankfurt-application-12(192.0.2.112)',
  account: 'deployment(deployment)',
  protocol: 'ssh',
  remote_addr: '203.0.113.199',
  date_start: '2026-10-22T21:58:47Z',
}
const asset = {
  id: session.asset_id,
  name: 'frankfurt-application-12',
  address: '192.0.2.112',
  platform: { id: 1, name: 'Linux' },
  is_active: true,
}
const login = {
  id: '9d1c0000-0000-4000-8000-000000000001',
  city: 'Frankfurt am Main',
  ip: '203.0.113.199',
  datetime: session.date_start,
}

const at = consolePage((fixture) => {
  serveRows(fixture, MySession, [session])
  serveRows(fixture, GrantedAsset, [asset])
  serveRows(fixture, MyLoginLog, [login])
  fixture.answers.set('GET /api/v1/perms/users/self/nodes/favorite/assets/', () => ({ body: [asset] }))
})

for (const width of [1280, 1366, 1440])
  test(`at ${width} px everything of the last sessions is in sight, when they took place too`, async () => {
    await at.page.setViewportSize({ width, height: 900 })
    await at.open('/ui/workbench/home')
    const table = at.page.getByRole('region', { name: 'Recent sessions' }).getByRole('table')
    await table.locator('time').waitFor()
    await at.page.getByText(login.city).waitFor()
    const hidden = await at.page.locator('main :is(th, td)').evaluateAll((cells) =>
      cells
        .filter((cell) => {
          const { left, right, top, bottom } = cell.getBoundingClientRect()
          const y = (top + bottom) / 2
          // Where it begins and where it ends there is nothing else before it.
          const isSeen = [left + 1, (left + right) / 2, right - 1].every((x) =>
            cell.contains(document.elementFromPoint(x, y)),
          )
          return !isSeen || cell.scrollWidth > cell.clientWidth
        })
        .map((cell) => cell.textContent),
    )
    expect(hidden).toEqual([])
    expect(
      await at.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0)
  })

test.each(['Favourites', 'Recent sessions'])(
  'home connects to what stands in "%s", in a tab of its own',
  async (title) => {
    at.fixture.profile.perms.push('rbac.view_webterminal', 'perms.view_myassets')
    await at.open('/ui/workbench/home')
    const opened = at.page.context().waitForEvent('page')
    const region = at.page.getByRole('region', { name: title })
    await region.getByRole('button', { name: /^Connect to frankfurt-application-12/u }).click()
    expect((await opened).url()).toContain(`/luna/?login_to=${asset.id}`)
  },
)

test('the accounts of an asset are looked up when they are asked for, and not before', async () => {
  const path = `/api/v1/perms/users/self/assets/${asset.id}/accounts/`
  const asked = () => at.fixture.requests.filter((request) => request.path === path).length
  at.fixture.answers.set(`GET ${path}`, () => ({ body: [{ name: 'root' }, { name: 'deploy' }] }))
  await at.open('/ui/workbench/assets')
  await at.page.getByRole('button', { name: `Show: ${asset.name}` }).waitFor()
  expect(asked()).toBe(0)
  await at.page.getByRole('button', { name: `Show: ${asset.name}` }).click()
  await at.page.getByRole('cell', { name: 'root, deploy' }).waitFor()
  expect(asked()).toBe(1)
})

test('an account that was typed by hand is told in words, with what was typed', async () => {
  serveRows(at.fixture, MySession, [{ ...session, account: '@INPUT(deploy)' }])
  await at.open('/ui/workbench/home')
  await at.page.getByText('Manual input(deploy)').waitFor()
})

test('an asset that is taken from the favourites leaves the list of them', async () => {
  const favourites = [asset]
  const own = '/api/v1/assets/favorite-assets/'
  at.fixture.answers.set(`GET ${own}`, () => ({ body: favourites.map(({ id }) => ({ asset: id })) }))
  at.fixture.answers.set(`DELETE ${own}`, () => {
    favourites.length = 0
    return { status: 204 }
  })
  at.fixture.answers.set('GET /api/v1/perms/users/self/nodes/favorite/assets/', () => ({ body: favourites }))
  await at.open('/ui/workbench/assets?node=favorite')
  const row = at.page.getByRole('row').filter({ hasText: asset.name })
  await row.getByRole('button', { name: 'Remove from favourites' }).click()
  await expect.poll(() => row.count()).toBe(0)
})
