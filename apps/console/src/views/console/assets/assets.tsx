import { Asset, Domain, Host } from '@sallyport/contract/resources/assets'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useLocation, useSearchParams } from 'react-router'
import type { Access } from '../../../kit/access/access.ts'
import type { Action } from '../../../kit/actions/action.ts'
import { activateAction, disableAction, updateAction } from '../../../kit/actions/usual-actions.ts'
import { bulkUpdateOf } from '../../../kit/form/bulk-update.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { readStored, writeStored } from '../../../kit/storage/storage.ts'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import type { NodeActions } from '../../../kit/tree/tree-panel.tsx'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { nodeSource } from '../sources.ts'
import { assetCells } from './asset-cells.tsx'
import { assetTabs } from './asset-tabs.tsx'
import { refreshHardware, testAssets } from './asset-tasks.ts'
import { AssetTree } from './asset-tree.tsx'
import { HostKeysWait, HostKeyWaits } from './host-key-notice.tsx'
import { nodeActions } from './node-actions.tsx'
import { useGo } from '../../../kit/routes/navigation.tsx'

const AssetLabels = lazyPart(() => import('./asset-labels.tsx'))
const PlatformDialog = lazyPart(() => import('./platform-dialog.tsx'))

const onlyDirectKey = 'showCurrentAsset'
const hostPaths = screenPaths('/console/assets/hosts')
const inRoot = (access: Access) => access.inRoot

const update: Action<Asset> = {
  ...updateAction<Asset>(false),
  permission: 'assets.change_asset',
  hidden: inRoot,
  to: (asset) => hostPaths.update(asset.id),
}

const clone: Action<Asset> = {
  name: 'clone',
  title: 'kit:duplicate',
  order: 30,
  permission: 'assets.add_asset',
  hidden: inRoot,
  to: (asset) => `${hostPaths.clone(asset.id)}&platform=${asset.platform.id}`,
}

const bulk = [disableAction<Asset>(Asset), activateAction<Asset>(Asset), testAssets, refreshHardware]

const withoutDomain = new Set(['device', 'cloud', 'web'])
const bulkUpdate = bulkUpdateOf(Asset, {
  fields: ['nodes', 'domain', 'labels', 'is_active', 'comment'],
  closed: (rows) =>
    (rows as unknown as Asset[]).some(({ category }) => withoutDomain.has(category.value)) ? ['domain'] : [],
  specs: {
    nodes: { relation: nodeSource, required: true },
    domain: { relation: { path: Domain.path, query: { fields_size: 'mini' } } },
    labels: { widget: AssetLabels },
  },
  tip: 'bulkDomainClosed',
})

const can = { update: false, clone: false } as const
const exclude = ['spec_info', 'auto_info', 'accounts', 'connectivity_reason', 'id'] as const
const defaultColumns = [
  'name',
  'address',
  'platform',
  'protocols',
  'nodes_display',
  'connectivity',
  'is_active',
] as const
const minColumns = ['name', 'address'] as const
const searchExclude = ['id', 'category', 'type', 'platform'] as const
const rowActions = [update, clone, testAssets]

/** All assets beside the trees that narrow them. */
function AssetList() {
  const go = useGo()
  const { pathname, search } = useLocation()
  const [params] = useSearchParams()
  const [choosing, setChoosing] = useState(false)
  const [onlyDirect, setOnlyDirect] = useState(() => readStored(onlyDirectKey) === true)
  const actions = useMemo((): NodeActions => {
    const showing: Action<TreeNode> = {
      name: 'direct',
      title: onlyDirect ? 'showAllBelow' : 'showOnlyDirect',
      call: () => {
        writeStored(onlyDirectKey, !onlyDirect)
        setOnlyDirect(!onlyDirect)
      },
    }
    return (of, tree) => nodeActions(of, tree, showing)
  }, [onlyDirect])
  const node = params.get('node_id')
  const isNarrowed = node !== null
  const query = useMemo(
    () => (isNarrowed ? { show_current_asset: onlyDirect ? 1 : 0 } : {}),
    [isNarrowed, onlyDirect],
  )
  const choose = useCallback(() => setChoosing(true), [])
  const create = (platform: number) =>
    void go(`${hostPaths.create}?platform=${platform}${node ? `&node=${node}` : ''}`, {
      state: { backTo: pathname + search },
    })
  return (
    <Page>
      <HostKeysWait />
      <TreeTable tree={<AssetTree counts="asset" actions={actions} />}>
        <ResourceList
          resource={Asset}
          query={query}
          can={can}
          exclude={exclude}
          defaultColumns={defaultColumns}
          minColumns={minColumns}
          searchExclude={searchExclude}
          cells={assetCells}
          rowActions={rowActions}
          bulkActions={bulk}
          bulkUpdate={bulkUpdate}
          importAs={Host}
          onCreate={choose}
        />
      </TreeTable>
      {choosing && (
        <Suspense>
          <PlatformDialog onClose={() => setChoosing(false)} onChoose={create} />
        </Suspense>
      )}
    </Page>
  )
}

export default screens(Asset, {
  page: AssetList,
  detail: {
    actions: [update],
    notice: (asset) => <HostKeyWaits asset={asset} />,
    tabs: assetTabs,
  },
})
