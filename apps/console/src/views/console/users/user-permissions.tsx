import { AssetPermission } from '@sallyport/contract/resources/perms'
import type { User } from '@sallyport/contract/resources/users'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { permissionCells, permissionColumns, permissionListAddress } from '../perms/permission-cells.tsx'

/** The permissions that name a person, or a group the person is in. */
export default function UserPermissions({ row }: { row: User }) {
  return (
    <ResourceList
      resource={AssetPermission}
      query={{ user_id: row.id }}
      base={permissionListAddress}
      can={{ create: false, clone: false, bulkRemove: false }}
      exclude={['id']}
      defaultColumns={['name', 'users', 'user_groups', 'assets', 'nodes', 'accounts', 'is_valid']}
      minColumns={['name']}
      searchExclude={['id']}
      cells={permissionCells}
      extra={permissionColumns}
    />
  )
}
