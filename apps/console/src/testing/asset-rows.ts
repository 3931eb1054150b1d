import { builtInPlatforms } from '@sallyport/contract/assets/platforms'
import { metadataOf } from '@sallyport/contract/resource/metadata'
import { Cloud, Database, Device, Web } from '@sallyport/contract/resources/asset-categories'
import { Asset, Host } from '@sallyport/contract/resources/assets'
import { Platform } from '@sallyport/contract/resources/platforms'
import type { Row } from '../kit/api/resource.ts'
import { serveRows } from './fixture-rows.ts'
import type { Fixture } from './fixture-server.ts'

/** Assets of every category, and what their forms ask for. */

const labeled = (value: string) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })
const platforms = builtInPlatforms.map(({ category, type, protocols, ...platform }) => ({
  ...platform,
  category: labeled(category),
  type: labeled(type),
  protocols: protocols.map((protocol, index) => ({ ...protocol, primary: index === 0 })),
}))

export const assetId = (number: number) => `8d1c0000-0000-4000-8000-0000000000${10 + number}`

/** A row as the lists of all categories answer it. */
export function assetRow(number: number, platformName: string, more: object = {}): Row {
  const platform = platforms.find(({ name }) => name === platformName)
  const category = platform?.category.value
  return {
    id: assetId(number),
    name: `asset-${number}`,
    address: `192.0.2.${number}`,
    platform: { id: platform?.id, name: platformName },
    category: platform?.category,
    type: platform?.type,
    nodes: [{ id: assetId(80), name: 'Default' }],
    nodes_display: ['/Default'],
    labels: [],
    protocols: (platform?.protocols ?? []).slice(0, 1).map(({ name, port }) => ({ name, port })),
    accounts: [],
    auto_info: { ping_enabled: true, ansible_enabled: true, gather_facts_enabled: category === 'host' },
    info: {},
    spec_info: {},
    is_active: true,
    comment: '',
    ...more,
  }
}

/** Who may do everything with assets; the rows stand in the list of their category, and in the common one. */
export function serveAssets(fixture: Fixture, rows: Row[]): void {
  fixture.profile.perms.push('assets.add_asset', 'assets.change_asset', 'assets.delete_asset')
  serveRows(fixture, Platform, platforms)
  serveRows(fixture, Asset, rows)
  for (const [resource, category] of [
    [Host, 'host'],
    [Device, 'device'],
    [Database, 'database'],
    [Web, 'web'],
    [Cloud, 'cloud'],
  ] as const) {
    serveRows(
      fixture,
      resource,
      rows.filter((row) => (row['category'] as { value: string }).value === category),
    )
    // With a platform, what assets of it begin with.
    fixture.answers.set(`OPTIONS /api/v1/${resource.path}/`, ({ query }) => {
      const metadata = metadataOf(resource, 'en', 'list')
      const platform = platforms.find(({ id }) => String(id) === query.get('platform'))
      const first = platform?.protocols.slice(0, 1).map(({ name, port }) => ({ name, port }))
      const protocols = metadata.actions.POST?.['protocols']
      if (protocols && first) protocols.default = first
      return { body: metadata }
    })
  }
  fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({
    body: [
      {
        id: '1',
        name: `Default (${rows.length})`,
        pId: '',
        isParent: false,
        open: true,
        meta: { type: 'node', data: { id: assetId(80), key: '1', value: 'Default' } },
      },
    ],
  }))
}
