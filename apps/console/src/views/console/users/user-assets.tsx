import { AssetGrants, UserGrants } from '@sallyport/contract/resources/grants'
import { GrantedAsset } from '@sallyport/contract/resources/perms'
import type { User } from '@sallyport/contract/resources/users'
import { useMemo, useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import type { Action } from '../../../kit/actions/action.ts'
import { addressOf, call } from '../../../kit/api/call.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { namesOnDemand } from '../../../kit/list/names-on-demand.tsx'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { useMessages } from '../../../kit/text.ts'
import { idOfNode } from '../../../kit/tree/tree-node.ts'
import { treeAt } from '../../../kit/tree/tree-source.ts'
import { TreePanel } from '../../../kit/tree/tree-panel.tsx'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { nameOf } from '../../../kit/values/name-of.ts'
import { assetCells } from '../assets/asset-cells.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'

// The tab comes without how permissions look.
const GrantingDialog = lazyPart(() => import('../assets/granting-dialog.tsx'))

/** By which permissions a person reaches an asset. */
const permissionsOf = (user: string, who: string): Action<GrantedAsset> => ({
  name: 'permissions',
  title: 'console:viewPermissions',
  permission: 'perms.view_assetpermission',
  dialog: (asset, close) => (
    <GrantingDialog
      address={addressOf(AssetGrants, 'userPermissions', { id: asset.id, user })}
      who={who}
      asset={nameOf(asset)}
      onClose={close}
    />
  ),
})

/** What a person may connect to, through all permissions together. */
export default function UserAssets({ row }: { row: User }) {
  const text = useMessages()
  const { can } = useAccess()
  const [node, setNode] = useState<string>()
  const user = row.id
  const name = nameOf(row)
  const source = useMemo(() => treeAt(addressOf(UserGrants, 'childNodeTree', { user })), [user])
  const actions = useMemo(() => [permissionsOf(user, name)], [user, name])
  const canOpen = can('assets.view_asset')
  return (
    <TreeTable
      tree={
        <TreePanel
          label={text('console:grantedAssets')}
          source={source}
          isSelected={(candidate) => idOfNode(candidate) === node}
          onSelect={(chosen) => setNode(idOfNode(chosen))}
        />
      }
    >
      <ResourceList
        resource={GrantedAsset}
        path={
          node === undefined
            ? addressOf(UserGrants, 'assets', { user })
            : addressOf(UserGrants, 'nodeAssets', { user, node })
        }
        describedBy={listPath(GrantedAsset.path)}
        detailTo={false}
        can="read"
        exclude={['id', 'spec_info']}
        defaultColumns={['name', 'address', 'platform', 'protocols', 'accounts']}
        minColumns={['name']}
        searchExclude={['id', 'platform', 'domain']}
        rowActions={actions}
        extra={{
          accounts: namesOnDemand('accounts', user, (asset, signal) =>
            call(UserGrants, 'accounts', { user, asset }, { signal }),
          ),
        }}
        cells={{
          ...assetCells,
          name: {
            render: (asset) =>
              canOpen ? (
                <Link to={`/console/assets/assets/${asset.id}`}>{nameOf(asset)}</Link>
              ) : (
                nameOf(asset)
              ),
          },
        }}
      />
    </TreeTable>
  )
}
