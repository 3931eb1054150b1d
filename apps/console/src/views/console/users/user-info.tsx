import { User } from '@sallyport/contract/resources/users'
import { useQueryClient } from '@tanstack/react-query'
import { useAccess } from '../../../kit/access/access.ts'
import { api } from '../../../kit/api/client.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import { useSave } from '../../../kit/api/hooks.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { detailPath, listPath, type Row } from '../../../kit/api/resource.ts'
import { ask } from '../../../kit/confirm/ask.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { type QuickAction, QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { RelationCard } from '../../../kit/detail/relation-card.tsx'
import { toast } from '../../../kit/feedback/toast.ts'
import { phoneText } from '../../../kit/values/phone-text.ts'
import { groupSource } from '../../../kit/relation/sources.ts'
import { useSession } from '../../../kit/session/session.ts'
import { type MessageKey, useMessages } from '../../../kit/text.ts'

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
]
const relations = 'users/users-groups-relations/'

/** A person: the account, what can be done with it at once, and the groups. */
export default function UserInfo({ row }: { row: Row }) {
  const text = useMessages()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.resource(User.path) })
  const actions = useUserQuickActions(row, refresh)
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(User.path)}
          fields={shown.filter((name) => name in row)}
          values={{ phone: () => phoneText(row['phone']) || '-' }}
        />
      }
      side={
        <>
          <QuickActions actions={actions} />
          <RelationCard
            title={text('userGroups')}
            source={groupSource}
            value={row['groups']}
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

function useUserQuickActions(row: Row, refresh: () => Promise<unknown>): QuickAction[] {
  const text = useMessages()
  const access = useAccess()
  const { profile } = useSession()
  const save = useSave(User.path)
  const own = detailPath(User.path, row.id)
  const forbidden = !access.canDo('change', User)
  const isLocal = isRecord(row['source']) && row['source']['value'] === 'local'

  /** A button that asks first and says when it is done. */
  const asked = (
    title: MessageKey,
    label: MessageKey,
    work: () => Promise<unknown>,
    disabled = false,
  ): QuickAction => ({
    type: 'button',
    title: text(title),
    label: text(label),
    disabled: forbidden || disabled,
    run: () =>
      ask({
        title: text(title),
        content: text('confirmFor', { name: String(row['name']) }),
        onConfirm: async () => {
          await work()
          await refresh()
          toast.success(text('done'))
        },
      }),
  })
  return [
    {
      type: 'switch',
      title: text('activate'),
      checked: row['is_active'] === true,
      disabled: forbidden,
      run: (checked) => save.mutateAsync({ id: row.id, method: 'PATCH', values: { is_active: checked } }),
    },
    asked('resetMfa', 'resetOne', () => api.get(`${own}mfa/reset/`)),
    asked('resetPassword', 'send', () => api.patch(`${own}password/reset/`, {}), !isLocal),
    asked(
      'resetSshKey',
      'send',
      () => api.patch(`${own}pubkey/reset/`, {}),
      profile['can_public_key_auth'] !== true,
    ),
    asked('unblockLogin', 'unblock', () => api.patch(`${own}unblock/`, {}), row['login_blocked'] !== true),
  ]
}
