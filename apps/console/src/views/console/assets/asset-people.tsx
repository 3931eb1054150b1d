import type { Asset } from '@sallyport/contract/resources/assets'
import { AssetPermission } from '@sallyport/contract/resources/perms'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { Button } from 'antd'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import { useList } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Card, Columns } from '../../../kit/detail/card.tsx'
import { describeError } from '../../../kit/feedback/errors.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { nameOf } from '../../../kit/values/name-of.ts'
import styles from '../accounts/accounts.module.css'
import { Link } from '../../../kit/routes/navigation.tsx'

const groupsAtMost = 100

/** Who may use an asset, through which permissions. */
export default function AssetPeople({ row }: { row: Asset }) {
  const t = useKitText()
  const text = useMessages()
  const { canDo } = useAccess()
  const own = `assets/assets/${row.id}/`
  const [asked, setAsked] = useState<string>()
  const groups = useList(`${own}perm-user-groups/`, { limit: groupsAtMost })
  const rows = groups.data?.results ?? []
  return (
    <Columns
      main={
        <ResourceList
          resource={User}
          path={`${own}perm-users/`}
          describedBy={User.path}
          base="/console/users/users"
          can="read"
          columns={['name', 'username', 'email', 'groups', 'source', 'is_valid', 'last_login']}
          defaultColumns={['name', 'username', 'source', 'is_valid']}
          rowActions={[
            {
              name: 'permissions',
              title: 'viewPermissions',
              call: ([user]) => user && setAsked(`${own}perm-users/${user.id}/permissions/`),
            },
          ]}
        />
      }
      side={
        <Card title={text('userGroups')}>
          {groups.error ? (
            <p role="alert">{describeError(groups.error, t)}</p>
          ) : rows.length === 0 ? (
            <p>{t('noData')}</p>
          ) : (
            <table className={styles.table}>
              <tbody>
                {rows.map((group) => (
                  <tr key={group.id}>
                    <td>
                      {canDo('view', UserGroup) ? (
                        <Link to={`/console/users/groups/${group.id}`}>{nameOf(group)}</Link>
                      ) : (
                        nameOf(group)
                      )}
                    </td>
                    <td>
                      <Button
                        size="small"
                        onClick={() => setAsked(`${own}perm-user-groups/${group.id}/permissions/`)}
                      >
                        {text('viewPermissions')}
                      </Button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {asked !== undefined && (
            <Dialog open title={text('assetPermissions')} footer={null} onCancel={() => setAsked(undefined)}>
              <ResourceList
                resource={AssetPermission}
                path={asked}
                describedBy={listPath(AssetPermission.path)}
                base="/console/perms/asset-permissions"
                inAddress={false}
                can="read"
                columns={[
                  'name',
                  'is_valid',
                  'is_active',
                  'date_expired',
                  'comment',
                  'created_by',
                  'date_created',
                ]}
                defaultColumns={['name', 'is_valid', 'created_by', 'date_created']}
              />
            </Dialog>
          )}
        </Card>
      }
    />
  )
}
