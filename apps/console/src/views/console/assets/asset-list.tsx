import type { Category } from '@sallyport/contract/assets/types'
import type { Device } from '@sallyport/contract/resources/asset-categories'
import { Asset, Domain } from '@sallyport/contract/resources/assets'
import { type ReactNode, Suspense, useCallback, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { Access } from '../../../kit/access/access.ts'
import type { Action } from '../../../kit/actions/action.ts'
import { activateAction, disableAction, updateAction } from '../../../kit/actions/usual-actions.ts'
import type { Query } from '../../../kit/api/client.ts'
import { bulkUpdateOf } from '../../../kit/form/bulk-update.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { useGo } from '../../../kit/routes/navigation.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { nodeSource } from '../sources.ts'
import { assetCells } from './asset-cells.tsx'
import { refreshHardware, testAssets } from './asset-tasks.ts'
import { assetListAddress, categories, pathsOf, pathsOfAsset } from './categories.ts'

const AssetLabels = lazyPart(() => import('./asset-labels.tsx'))
const PlatformDialog = lazyPart(() => import('./platform-dialog.tsx'))

const inRoot = (access: Access) => access.inRoot

export const updateAsset: Action<Asset> = {
  ...updateAction<Asset>(false),
  permission: 'assets.change_asset',
  hidden: inRoot,
  to: (asset) => pathsOfAsset(asset).update(asset.id),
}
const cloneAsset: Action<Asset> = {
  name: 'clone',
  title: 'kit:duplicate',
  order: 30,
  permission: 'assets.add_asset',
  hidden: inRoot,
  to: (asset) => pathsOfAsset(asset).clone(asset.id),
}

const withoutDomain = new Set<string>(['device', 'cloud', 'web'])
const bulkUpdate = bulkUpdateOf(Asset, {
  fields: ['nodes', 'domain', 'labels', 'is_active', 'comment'],
  closed: (rows) =>
    (rows as unknown as Asset[]).some(({ category }) => withoutDomain.has(category.value)) ? ['domain'] : [],
  specs: {
    nodes: { relation: nodeSource, required: true },
    domain: { relation: { path: Domain.path, query: { fields_size: 'mini' } } },
    labels: { widget: AssetLabels },
  },
  tip: 'console:bulkDomainClosed',
})

const detailTo = (asset: Pick<Asset, 'id'>) => screenPaths(assetListAddress).detail(asset.id)
const hidden = ['spec_info', 'auto_info', 'accounts', 'connectivity_reason', 'id'] as const
const withHardware = { exclude: hidden } as const
const withoutHardware = { exclude: [...hidden, 'info'] } as const
/** What all lists of assets are alike in. */
const alike = {
  defaultColumns: ['name', 'address', 'platform', 'protocols', 'nodes_display', 'connectivity', 'is_active'],
  minColumns: ['name', 'address'],
  cells: assetCells,
  bulkUpdate,
  bulkActions: [disableAction<Asset>(Asset), activateAction<Asset>(Asset), testAssets, refreshHardware],
  detailTo,
} as const

/** Leads to a new asset of the platform that is chosen, in the node that is chosen in the tree. */
function useCreate(category?: Category): { choose: () => void; dialog: ReactNode } {
  const go = useGo()
  const { pathname, search } = useLocation()
  const [params] = useSearchParams()
  const [choosing, setChoosing] = useState(false)
  const choose = useCallback(() => setChoosing(true), [])
  const node = params.get('node_id')
  const dialog = choosing && (
    <Suspense>
      <PlatformDialog
        {...(category && { category })}
        onClose={() => setChoosing(false)}
        onChoose={(platform) => {
          const query = new URLSearchParams({
            platform: String(platform.id),
            platform_type: platform.type.value,
          })
          if (node) query.set('node', node)
          void go(`${pathsOf(platform.category.value).create}?${query}`, {
            state: { backTo: pathname + search },
          })
        }}
      />
    </Suspense>
  )
  return { choose, dialog }
}

const canOfAll = { update: false, clone: false, import: false } as const
const actionsOfAll = [updateAsset, cloneAsset, testAssets]
const actionsOfCategory = [testAssets]

/** Assets of every category; files are imported in the list of their category. */
export function AllAssets({ query }: { query: Query }) {
  const { choose, dialog } = useCreate()
  return (
    <>
      <ResourceList
        {...alike}
        {...withoutHardware}
        resource={Asset}
        query={query}
        can={canOfAll}
        searchExclude={['id', 'category', 'type', 'platform']}
        rowActions={actionsOfAll}
        onCreate={choose}
      />
      {dialog}
    </>
  )
}

/** The assets of one category. */
export function AssetsOf({ category }: { category: Category }) {
  const { choose, dialog } = useCreate(category)
  const of = categories.find((one) => one.category === category)
  return (
    of && (
      <>
        <ResourceList
          {...alike}
          {...(category === 'host' ? withHardware : withoutHardware)}
          // What is said here of their columns all categories have.
          resource={of.resource as typeof Device}
          base={of.base}
          searchExclude={['id', 'category']}
          rowActions={actionsOfCategory}
          onCreate={choose}
        />
        {dialog}
      </>
    )
  )
}
