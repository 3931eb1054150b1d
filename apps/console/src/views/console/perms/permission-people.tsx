import {
  type AssetPermission,
  AssetPermissionUser,
  AssetPermissionUserGroup,
} from '@sallyport/contract/resources/perms'
import { Columns } from '../../../kit/detail/card.tsx'
import { groupSource, userSource } from '../sources.ts'
import { useMessages } from '../../../kit/text.ts'
import { Covered } from './covered.tsx'
import { PermissionRelation } from './permission-relation.tsx'

/** Whom a permission is for. */
export default function PermissionPeople({ row }: { row: AssetPermission }) {
  const text = useMessages()
  return (
    <Columns
      main={<Covered title={text('allUsers')} permissionId={row.id} path="users/all/" field="user_display" />}
      side={
        <>
          <PermissionRelation
            row={row}
            title={text('userList')}
            field="users"
            source={userSource}
            pairs={AssetPermissionUser}
            pairField="user"
          />
          <PermissionRelation
            row={row}
            title={text('userGroups')}
            field="user_groups"
            source={groupSource}
            pairs={AssetPermissionUserGroup}
            pairField="usergroup"
          />
        </>
      }
    />
  )
}
