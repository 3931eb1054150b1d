import { Account } from '@sallyport/contract/resources/accounts'
import { Asset } from '@sallyport/contract/resources/assets'
import { LoginLog, OperateLog, PasswordChangeLog } from '@sallyport/contract/resources/audits'
import { ConnectionToken } from '@sallyport/contract/resources/authentication'
import { AssetPermission, GrantedAsset } from '@sallyport/contract/resources/perms'
import { Platform } from '@sallyport/contract/resources/platforms'
import { Command, Session } from '@sallyport/contract/resources/terminal'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { type FieldMetadata, metadataOf } from '@sallyport/contract/resource/metadata'
import type { Resource } from '@sallyport/contract/resource/resource'
import { expect, test } from 'vitest'
import type { Row } from '../kit/api/resource.ts'
import { consolePage } from '../testing/console-page.ts'
import { serveRows } from '../testing/fixture-rows.ts'

const at = consolePage(({ profile, answers }) => {
  profile.perms.push('audits.view_passwordchangelog', 'audits.view_userloginlog')
  for (const tree of ['assets/nodes/children', 'assets/nodes/category', 'perms/users/self/nodes/children'])
    answers.set(`GET /api/v1/${tree}/tree/`, () => ({ body: [] }))
  const host = { value: 'host', label: 'Host', types: [{ value: 'linux', label: 'Linux' }] }
  answers.set('GET /api/v1/assets/categories/', () => ({ body: [host] }))
  answers.set('GET /api/v1/assets/favorite-assets/', () => ({ body: [] }))
})

const lists: [address: string, resource: Resource][] = [
  ['console/users/users', User],
  ['console/users/groups', UserGroup],
  ['console/assets/assets', Asset],
  ['console/assets/platforms', Platform],
  ['console/accounts/accounts', Account],
  ['console/perms/asset-permissions', AssetPermission],
  ['audit/sessions/sessions', Session],
  ['audit/sessions/sessions?activeTab=OfflineList', Session],
  ['audit/sessions/command', Command],
  ['audit/audits/login-logs', LoginLog],
  ['audit/audits/operate-logs', OperateLog],
  ['audit/audits/password-change-log', PasswordChangeLog],
  ['workbench/assets', GrantedAsset],
  ['profile/connection-token', ConnectionToken],
]

/** Long, as they come: what a field may well hold. */
const texts: Record<string, string> = {
  user: 'Administrator(admin)',
  asset: 'frankfurt-application-12(192.0.2.112)',
  account: 'deployment(deployment)',
  remote_addr: '203.0.113.199',
  ip: '203.0.113.199',
  address: '192.168.200.112',
  protocol: 'ssh',
  input: 'systemctl restart nginx.service',
  summary: 'Administrator(admin) changed the asset frankfurt-application-12',
}
const related = { id: '4a1c0000-0000-4000-8000-000000000001', name: 'frankfurt-application-12' }
// Weeks ago: told by date and time, the longest form.
const time = '2026-10-22T21:58:47Z'

function sampleOf(name: string, meta: FieldMetadata): unknown {
  if (name === 'accounts') return ['@ALL']
  if (name === 'nodes_display') return ['/Default/Frankfurt/Application servers', '/Default/Spare']
  const [first] = meta.choices ?? []
  switch (meta.type) {
    case 'boolean':
      return true
    case 'integer':
    case 'float':
      return 12
    case 'datetime':
      return time
    case 'labeled_choice':
    case 'choice':
      return meta.choices?.at(-1) ?? first
    case 'object_related_field':
      return related
    case 'm2m_related_field':
      return [related]
    case 'nested object':
      return related
    case 'field':
    case 'list':
      return []
    default:
      return texts[name] ?? related.name
  }
}

function rowsOf(resource: Resource): Row[] {
  const metas = metadataOf(resource, 'en', 'list').actions.GET ?? {}
  const row = Object.fromEntries(Object.entries(metas).map(([name, meta]) => [name, sampleOf(name, meta)]))
  return [{ ...row, id: related.id, can_join: true, can_replay: true }]
}

/** In the shipped font, which a browser's first page leaves to the next. */
async function openInFont(address: string): Promise<void> {
  await at.open(`/ui/${address}`)
  await at.page.waitForFunction(() => localStorage.getItem('textFont'))
  const fonts = async () => {
    await at.page.reload()
    await at.page.locator('tbody tr').first().waitFor()
    return await at.page.evaluate(() => document.fonts.size)
  }
  await expect.poll(fonts).toBeGreaterThan(0)
}

test.each(lists)(
  'at 1280 px nothing of the list %s is out of sight or cut short',
  async (address, resource) => {
    serveRows(at.fixture, resource, rowsOf(resource))
    await openInFont(address)
    const table = at.page.locator('table').first()
    const hidden = await table.locator('..').evaluate((box) => box.scrollWidth - box.clientWidth)
    const cut = await table
      .locator(
        'th:not(:last-child), td:has(time), td[data-name=duration], td[data-name=id], td[data-name=address]',
      )
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      )
    expect({ hidden, cut }).toEqual({ hidden: 0, cut: [] })
  },
)

for (const [address, resource] of [
  ['audit/audits/operate-logs', OperateLog],
  ['audit/audits/password-change-log', PasswordChangeLog],
] as const)
  test(`at 1280 and 1600 px the sentences of ${address} have the room the other columns leave`, async () => {
    serveRows(at.fixture, resource, rowsOf(resource))
    for (const width of [1280, 1600]) {
      await at.page.setViewportSize({ width, height: 900 })
      await at.open(`/ui/${address}`)
      const sentence = at.page.locator('td[data-wrap]')
      await sentence.waitFor()
      const share = await sentence.evaluate(
        (cell) => cell.clientWidth / (cell.closest('table')?.clientWidth ?? 0),
      )
      expect(share).toBeGreaterThan(0.5)
    }
  })

/** Lists whose rows have a name, with whoever may do everything in them. */
const named: [address: string, resource: Resource, names: string[]][] = [
  ['console/assets/assets', Asset, ['name']],
  ['console/accounts/accounts', Account, ['name', 'asset']],
  ['console/perms/asset-permissions', AssetPermission, ['name']],
  ['console/users/users', User, ['name']],
  ['console/users/groups', UserGroup, ['name']],
  ['console/assets/platforms', Platform, ['name']],
  ['workbench/assets', GrantedAsset, ['name']],
]

test.each(named)(
  'at 1280, 1366, 1440 and 1920 px what the rows of %s are called can be read, and no word is broken that has room',
  async (address, resource, names) => {
    at.fixture.profile.perms.push(...everything)
    const row = rowsOf(resource)[0] as Row
    const ordinary = { id: related.id, name: 'fra-web-017.demo.example' }
    const rows = [{ ...row, name: ordinary.name, ...('asset' in row && { asset: ordinary }) }]
    serveRows(at.fixture, resource, rows)
    await openInFont(address)
    const found = []
    for (const width of [1280, 1366, 1440, 1920]) {
      await at.page.setViewportSize({ width, height: 900 })
      found.push({ width, ...(await at.page.locator('table').first().evaluate(lookOf, names)) })
    }
    const good = { hidden: 0, cut: [], narrow: [], high: [], broken: [] }
    expect(found).toEqual([1280, 1366, 1440, 1920].map((width) => ({ width, ...good })))
  },
)

const everything = [
  ...['add', 'change', 'delete', 'test'].flatMap((verb) => [
    `assets.${verb}_asset`,
    `assets.${verb}_platform`,
  ]),
  ...['add', 'change', 'delete', 'verify'].map((verb) => `accounts.${verb}_account`),
  'accounts.view_accountsecret',
  ...['add', 'change', 'delete'].flatMap((verb) => [
    `perms.${verb}_assetpermission`,
    `users.${verb}_user`,
    `users.${verb}_usergroup`,
  ]),
]

/** What of a table cannot be read well: in the page. */
function lookOf(table: Element, names: readonly string[]) {
  const box = table.parentElement
  const nameCells = names.flatMap((name) => [...table.querySelectorAll(`td[data-name=${name}]`)])
  const states = 'th, td[data-name=connectivity], td[data-name=is_active], td[data-name=is_valid]'
  const isCut = (cell: Element) => cell.scrollWidth > cell.clientWidth
  const linesOf = (node: Text, from: number, to: number) => {
    const range = document.createRange()
    range.setStart(node, from)
    range.setEnd(node, to)
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
  }
  const textsOf = (cell: Element) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    return texts
  }
  const broken = [...table.querySelectorAll('th, td')]
    .flatMap(textsOf)
    .flatMap((node) =>
      [...node.data.matchAll(/[\p{L}\p{N}]{2,16}/gu)]
        .filter(({ index, 0: word }) => linesOf(node, index, index + word.length).size > 1)
        .map(([word]) => word),
    )
  return {
    hidden: box ? box.scrollWidth - box.clientWidth : 0,
    cut: [...table.querySelectorAll(states), ...nameCells].filter(isCut).map((cell) => cell.textContent),
    narrow: nameCells.filter(({ clientWidth }) => clientWidth < 124).map(({ clientWidth }) => clientWidth),
    high: nameCells
      .filter((cell) => new Set(textsOf(cell).flatMap((node) => [...linesOf(node, 0, node.length)])).size > 2)
      .map((cell) => cell.textContent),
    broken,
  }
}

test('where an asset lies is told in one line of the list, and in full as a tooltip', async () => {
  serveRows(at.fixture, Asset, rowsOf(Asset))
  await at.open('/ui/console/assets/assets')
  const paths = at.page.locator('td[data-name=nodes_display] > span')
  expect((await paths.boundingBox())?.height).toBeLessThan(30)
  await paths.hover()
  await at.page.getByRole('tooltip').getByText('/Default/Spare', { exact: true }).waitFor()
})
