import { AssetPermission, AssetPermissionAsset } from '@sallyport/contract/resources/perms'
import { Asset, Domain } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { expect, test } from 'vitest'
import { assetId, assetRow, serveAssets } from '../../../testing/asset-rows.ts'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const list = `/api/v1/${Asset.path}/`
const at = consolePage((fixture) => {
  fixture.profile.perms.push('perms.add_assetpermission', 'assets.change_assetnodes', 'assets.view_node')
  serveAssets(fixture, [assetRow(1, 'Linux'), assetRow(2, 'Cisco'), assetRow(3, 'MySQL')])
  serveRows(fixture, AssetPermission, [])
  serveRows(fixture, Node, [{ id: assetId(80), name: 'Default', value: 'Default', full_value: '/Default' }])
})
const picker = () => at.page.getByRole('dialog', { name: 'Select assets' })
const tick = (name: string) => picker().getByRole('row').filter({ hasText: name }).getByRole('checkbox')

test('assets of a form are ticked beside the tree, over searches, and taken over as they are called', async () => {
  await at.open(`/ui/console/perms/asset-permissions/create?asset_id=${assetId(2)}`)
  await at.button('Select assets').click()
  await expect.poll(() => tick('asset-2').isChecked()).toBe(true)
  await tick('asset-1').check()
  await picker()
    .getByRole('searchbox')
    .or(picker().getByPlaceholder(/Search/u))
    .first()
    .fill('MySQL')
  await at.page.keyboard.press('Enter')
  await expect.poll(() => tick('asset-1').count()).toBe(0)
  await tick('asset-3').check()
  await picker().getByText('3 selected').waitFor()
  await picker().getByRole('treeitem', { name: 'Default (3)' }).click()
  await expect
    .poll(() => at.fixture.requests.findLast(({ path }) => path === list)?.query.get('node_id'))
    .toBe(assetId(80))
  await picker().getByRole('button', { name: 'OK' }).click()
  const chosen = at.page.locator('[data-field=assets] .ant-select-selection-item')
  await expect
    .poll(() => chosen.allTextContents())
    .toEqual(['asset-2(192.0.2.2)', 'asset-1(192.0.2.1)', 'asset-3(192.0.2.3)'])
  expect(at.page.url()).not.toContain('node_id')
})

test('assets of a permission are ticked beside the tree, without those it has already', async () => {
  const pairs = `/api/v1/${AssetPermissionAsset.path}/`
  at.fixture.profile.perms.push('perms.view_assetpermission', 'perms.change_assetpermission')
  const permission = {
    id: assetId(70),
    name: 'Operations',
    users: [],
    user_groups: [],
    assets: [{ id: assetId(2), name: 'asset-2' }],
    nodes: [],
    accounts: ['@ALL'],
    actions: [],
    is_active: true,
    is_valid: true,
  }
  serveRows(at.fixture, AssetPermission, [permission])
  at.fixture.answers.set(`GET /api/v1/${AssetPermission.path}/${assetId(70)}/assets/all/`, () => ({
    body: {
      count: 1,
      next: null,
      previous: null,
      results: [{ asset: assetId(2), asset_display: 'asset-2' }],
    },
  }))
  at.fixture.answers.set(`POST ${pairs}`, ({ body }) => ({ status: 201, body }))
  await at.open(`/ui/console/perms/asset-permissions/${assetId(70)}?activeTab=AssetPermissionAsset`)
  await at.button('Select assets').click()
  await tick('asset-2').check()
  await tick('asset-3').check()
  await picker().getByRole('button', { name: 'OK' }).click()
  await picker().waitFor({ state: 'detached' })
  await at.page
    .getByRole('region', { name: 'Assets', exact: true })
    .getByRole('button', { name: 'Add' })
    .click()
  await expect
    .poll(() => at.sentTo('POST', pairs))
    .toEqual([{ assetpermission: assetId(70), asset: assetId(3) }])
})

test('assets are put into a node from its menu, and a refusal keeps what was ticked', async () => {
  const add = `/api/v1/assets/nodes/${assetId(80)}/assets/add/`
  at.fixture.answers.set(`PUT ${add}`, () => ({ status: 400, body: { assets: ['Object does not exist.'] } }))
  await at.open('/ui/console/assets/assets')
  await at.page.getByRole('treeitem', { name: 'Default (3)' }).click({ button: 'right' })
  await at.page.getByRole('menuitem', { name: 'Add assets to the node' }).click()
  const dialog = at.page.getByRole('dialog', { name: 'Add assets to the node: Default' })
  await dialog.getByRole('row').filter({ hasText: 'asset-3' }).getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'OK' }).click()
  await at.page.getByText('Object does not exist.').waitFor()
  at.fixture.answers.set(`PUT ${add}`, () => ({ body: { assets: [assetId(3)] } }))
  await dialog.getByRole('button', { name: 'OK' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(at.sentTo('PUT', add)).toEqual({ assets: [assetId(3)] })
})

test('a gateway is not ticked for a network zone, not with its whole page either', async () => {
  at.fixture.profile.perms.push('assets.view_domain', 'assets.add_domain')
  serveRows(at.fixture, Domain, [])
  serveAssets(at.fixture, [assetRow(1, 'Linux'), assetRow(2, 'Gateway')])
  await at.open('/ui/console/assets/domains/create')
  await at.button('Select assets').click()
  await tick('asset-1').waitFor()
  expect(await tick('asset-2').isDisabled()).toBe(true)
  await picker().getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await picker().getByText('1 selected').waitFor()
  expect(await tick('asset-2').isChecked()).toBe(false)
})

test('ticks are not lost by Escape without a question, and OK is in view on a small screen', async () => {
  await at.page.setViewportSize({ width: 1280, height: 800 })
  serveAssets(
    at.fixture,
    Array.from({ length: 40 }, (_, index) => assetRow(index + 1, 'Linux')),
  )
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.button('Select assets').click()
  await tick('asset-15').check()
  const ok = await picker().getByRole('button', { name: 'OK' }).boundingBox()
  expect(ok && ok.y + ok.height).toBeLessThan(800)
  await at.page.keyboard.press('Escape')
  const question = at.page.getByRole('dialog').filter({ hasText: 'Discard' })
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await picker().getByText('1 selected').waitFor()
  await tick('asset-15').uncheck()
  await at.page.keyboard.press('Escape')
  await picker().waitFor({ state: 'detached' })
})

test('on a phone OK of a picker is in view, however many rows there are', async () => {
  await at.page.setViewportSize({ width: 390, height: 700 })
  serveAssets(
    at.fixture,
    Array.from({ length: 40 }, (_, index) => assetRow(index + 1, 'Linux')),
  )
  await at.open('/ui/console/perms/asset-permissions/create')
  await at.button('Select assets').click()
  await picker().getByText('asset-15', { exact: true }).waitFor()
  const ok = await picker().getByRole('button', { name: 'OK' }).boundingBox()
  expect(ok && ok.y + ok.height).toBeLessThanOrEqual(700)
})
