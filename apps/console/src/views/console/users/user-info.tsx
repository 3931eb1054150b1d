import { User } from '@sallyport/contract/resources/users'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { RelationCard } from '../../../kit/detail/relation-card.tsx'
import { phoneText } from '../../../kit/values/phone-text.ts'
import { groupSource } from '../sources.ts'
import { useMessages } from '../../../kit/text.ts'
import { resetMfa, resetPassword, resetSshKey, unblock } from './user-actions.ts'

const shown = [
  'id',
  'name',
  'username',
  'email',
  'phone',
  'wecom_id',
  'dingtalk_id',
  'feishu_id',
  'org_roles',
  'system_roles',
  'mfa_level',
  'source',
  'created_by',
  'date_joined',
  'date_expired',
  'date_password_last_updated',
  'last_login',
  'comment',
] as const
const relations = 'users/users-groups-relations/'

/** A person: the account, what can be done with it at once, and the groups. */
export default function UserInfo({ row }: { row: User }) {
  const text = useMessages()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.resource(User.path) })
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(User.path)}
          fields={shown.filter((name) => name in row)}
          values={{ phone: () => phoneText(row.phone) || '-' }}
        />
      }
      side={
        <>
          <QuickActions
            resource={User}
            row={row}
            toggles={[{ field: 'is_active', title: 'activate' }]}
            actions={[resetMfa, resetPassword, resetSshKey, unblock]}
          />
          <RelationCard
            title={text('userGroups')}
            source={groupSource}
            value={row.groups}
            add={async (ids) => {
              await api.post(
                relations,
                ids.map((usergroup) => ({ user: row.id, usergroup })),
              )
              await refresh()
            }}
            remove={async (usergroup) => {
              await api.delete(relations, { query: { user: row.id, usergroup } })
              await refresh()
            }}
          />
        </>
      }
    />
  )
}
