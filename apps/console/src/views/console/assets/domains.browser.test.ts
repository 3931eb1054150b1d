import { gatewayPlatformId } from '@sallyport/contract/assets/platforms'
import { Domain, Gateway } from '@sallyport/contract/resources/assets'
import { Platform } from '@sallyport/contract/resources/platforms'
import { expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const zone = {
  id: '8d1c0000-0000-4000-8000-000000000001',
  name: 'Plant',
  assets: [],
  gateways: [],
  asset_count: 12,
  gateway_count: 1,
  comment: '',
}
const platform = { id: gatewayPlatformId, name: 'Gateway', protocols: [{ name: 'ssh', port: 22 }] }
const gateway = {
  id: '8d1c0000-0000-4000-8000-000000000002',
  name: 'plant-border',
  address: '192.0.2.1',
  domain: { id: zone.id, name: zone.name },
  platform: { id: gatewayPlatformId, name: 'Gateway' },
  protocols: [{ name: 'ssh', port: 2022 }],
  connectivity: { value: '-', label: 'Unknown' },
  nodes: [],
  labels: [],
  comment: '',
}
const task = '8d1c0000-0000-4000-8000-000000000003'
const testing = `/api/v1/${Gateway.path}/${gateway.id}/test-connective/`

const at = consolePage((fixture) => {
  fixture.profile.perms.push(
    'assets.view_domain',
    'assets.view_gateway',
    'assets.add_gateway',
    'assets.change_gateway',
    'assets.test_assetconnectivity',
  )
  serveRows(fixture, Domain, [zone])
  serveRows(fixture, Gateway, [gateway])
  serveRows(fixture, Platform, [platform])
  fixture.answers.set(`POST ${testing}`, () => ({ body: { task } }))
})
/** The last list that was asked for; what it looks like (OPTIONS) may be asked for behind it. */
const listed = (of: { path: string }) =>
  at.fixture.requests.findLast(({ method, path }) => method === 'GET' && path === `/api/v1/${of.path}/`)
const rowOf = (name: string) => at.page.getByRole('row').filter({ hasText: name })

test('a domain shows how much lies in it, and leads to its gateways, which are added in it', async () => {
  await at.open('/ui/console/assets/domains')
  await rowOf('Plant').getByText('12', { exact: true }).waitFor()
  // It may hold thousands of assets.
  expect(listed(Domain)?.query.get('fields!')).toBe('assets,gateways')
  await rowOf('Plant').getByRole('link', { name: '1', exact: true }).click()
  await at.page.getByRole('link', { name: 'plant-border' }).waitFor()
  expect(listed(Gateway)?.query.get('domain')).toBe(zone.id)
  await at.button('Create').click()
  await at.page.waitForURL(`**/ui/console/assets/gateways/create?domain=${zone.id}`)
  await at.page.getByRole('textbox', { name: 'Name' }).waitFor()
  await at.page.getByText('Plant', { exact: true }).first().waitFor()
})

test('a gateway is tested at its own SSH port, or another one, and the log of it opens', async () => {
  await at.open(`/ui/console/assets/domains/${zone.id}?activeTab=GatewayList`)
  await rowOf('plant-border').getByRole('button', { name: /^More/u }).click()
  await at.page.getByRole('menuitem', { name: 'Test connection' }).click()
  const port = at.page.getByRole('dialog').getByLabel('SSH port')
  expect(await port.inputValue()).toBe('2022')
  await port.fill('22')
  const opened = at.page.context().waitForEvent('page')
  await at.page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  expect((await opened).url()).toContain(task)
  expect(at.sentTo('POST', testing)).toEqual({ port: 22 })
})
