import { Asset } from '@sallyport/contract/resources/assets'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useAccess } from '../../../kit/access/access.ts'
import { useBulkUpdate } from '../../../kit/api/hooks.ts'
import { listPath, type Row, type RowId } from '../../../kit/api/resource.ts'
import { useErrorToast } from '../../../kit/feedback/errors.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { DetailPage, type DetailTab } from '../../../kit/detail/detail-page.tsx'
import type { BulkAction } from '../../../kit/list/list-spec.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import type { RowAction } from '../../../kit/list/row-actions.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { readStored, writeStored } from '../../../kit/storage/storage.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { assetCells } from './asset-cells.tsx'
import { AssetTree } from './asset-tree.tsx'
import { useNodeMenu } from './node-menu.tsx'
import { idOf } from './platform.ts'

const PlatformDialog = lazy(() => import('./platform-dialog.tsx'))
const AssetInfo = lazy(() => import('./asset-info.tsx'))
const AssetAccounts = lazy(() => import('./asset-accounts.tsx'))
const AssetPeople = lazy(() => import('./asset-people.tsx'))

const onlyDirectKey = 'showCurrentAsset'
const hostPaths = screenPaths('/console/assets/hosts')
const assetPaths = screenPaths('/console/assets/assets')

function useAssetActions() {
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const showError = useErrorToast()
  const update = useBulkUpdate(Asset.path)
  const closed = access.inRoot || !access.canDo('change', Asset)
  const goTo = (to: string) => void navigate(to, { state: { backTo: pathname + search } })
  const switchAll = (ids: readonly RowId[], isActive: boolean) =>
    update.mutate(
      { ids, changes: { is_active: isActive } },
      { onSuccess: () => toast.success(text(isActive ? 'activated' : 'deactivated')), onError: showError },
    )
  const rowActions: RowAction[] = [
    {
      name: 'update',
      title: t('update'),
      order: 10,
      hidden: closed,
      run: (row) => goTo(hostPaths.update(row.id)),
    },
    {
      name: 'clone',
      title: t('duplicate'),
      order: 30,
      hidden: access.inRoot || !access.canDo('add', Asset),
      run: (row) => goTo(`${hostPaths.clone(row.id)}&platform=${idOf(row['platform'])}`),
    },
  ]
  const bulkActions: BulkAction[] = [
    {
      name: 'disable',
      title: text('disableSelected'),
      hidden: closed,
      run: ({ ids }) => switchAll(ids, false),
    },
    {
      name: 'activate',
      title: text('activateSelected'),
      hidden: closed,
      run: ({ ids }) => switchAll(ids, true),
    },
  ]
  return { rowActions, bulkActions, goTo }
}

/** All assets beside the trees that narrow them. */
function AssetList() {
  const [params] = useSearchParams()
  const { rowActions, bulkActions, goTo } = useAssetActions()
  const [choosing, setChoosing] = useState(false)
  const [onlyDirect, setOnlyDirect] = useState(() => readStored(onlyDirectKey) === true)
  const { menu, dialogs } = useNodeMenu(onlyDirect, (only) => {
    writeStored(onlyDirectKey, only)
    setOnlyDirect(only)
  })
  const node = params.get('node_id')
  return (
    <Page>
      <TreeTable tree={<AssetTree counts="asset" editable menu={menu} />}>
        <ResourceList
          resource={Asset}
          {...(node && { query: { show_current_asset: onlyDirect ? 1 : 0 } })}
          exclude={['spec_info', 'auto_info', 'accounts', 'id']}
          defaultColumns={['name', 'address', 'platform', 'protocols', 'nodes_display', 'is_active']}
          minColumns={['name', 'address']}
          searchExclude={['id', 'category', 'type', 'platform']}
          cells={assetCells}
          rowActions={rowActions}
          bulkActions={bulkActions}
          onCreate={() => setChoosing(true)}
        />
      </TreeTable>
      {dialogs}
      {choosing && (
        <Suspense>
          <PlatformDialog
            onClose={() => setChoosing(false)}
            onChoose={(id) => goTo(`${hostPaths.create}?platform=${id}${node ? `&node=${node}` : ''}`)}
          />
        </Suspense>
      )}
    </Page>
  )
}

const tabs: readonly DetailTab[] = [
  { name: 'Detail', title: 'basicInformation', content: (row) => <AssetInfo row={row} /> },
  {
    name: 'Account',
    title: 'accountList',
    permission: 'accounts.view_account',
    content: (row) => <AssetAccounts row={row} />,
  },
  {
    name: 'PermUserList',
    title: 'authorizedUsers',
    permission: 'perms.view_assetpermission',
    content: (row) => <AssetPeople row={row} />,
  },
]

function AssetDetail() {
  const { goTo } = useAssetActions()
  return (
    <Suspense fallback={<Page>{null}</Page>}>
      <DetailPage
        resource={Asset}
        path={listPath(Asset.path)}
        base={assetPaths.list}
        tabs={tabs}
        onUpdate={(row: Row) => goTo(hostPaths.update(row.id))}
      />
    </Suspense>
  )
}

export default { list: AssetList, detail: AssetDetail }
