import { AssetPermission } from '@sallyport/contract/resources/perms'
import { listPath, type Row } from '../../../kit/api/resource.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { permissionCells, permissionListAddress } from '../perms/permission-cells.tsx'

/** The permissions that name a person, or a group the person is in. */
export default function UserPermissions({ row }: { row: Row }) {
  return (
    <ResourceList
      resource={AssetPermission}
      path={`perms/asset-permissions/?user_id=${row.id}`}
      describedBy={listPath(AssetPermission.path)}
      base={permissionListAddress}
      inAddress={false}
      can={{ create: false, clone: false, bulkRemove: false }}
      exclude={['id']}
      defaultColumns={['name', 'users', 'user_groups', 'assets', 'nodes', 'accounts', 'is_valid']}
      minColumns={['name']}
      searchExclude={['id']}
      cells={permissionCells}
    />
  )
}
