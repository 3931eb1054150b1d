import { AssetPermission } from '@sallyport/contract/resources/perms'
import { Tag } from 'antd'
import { useAccess } from '../../../kit/access/access.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import { useSave } from '../../../kit/api/hooks.ts'
import { listPath, type Row } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { useMessages } from '../../../kit/text.ts'
import { accountsOf } from './account-choice.tsx'
import { accountText } from './account-text.ts'

const counted = ['users', 'user_groups', 'assets', 'nodes'] as const
const count = (value: unknown) => (Array.isArray(value) ? String(value.length) : '0')

/** A permission in short, and whether it is switched on. */
export default function PermissionInfo({ row }: { row: Row }) {
  const text = useMessages()
  const access = useAccess()
  const save = useSave(AssetPermission.path)
  const actions = Array.isArray(row['actions']) ? row['actions'].filter(isRecord) : []
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(AssetPermission.path)}
          fields={[
            'name',
            ...counted,
            'accounts',
            'actions',
            'is_valid',
            'date_start',
            'date_expired',
            'date_created',
            'created_by',
            'comment',
          ]}
          values={{
            ...Object.fromEntries(counted.map((field) => [field, () => count(row[field])])),
            accounts: () =>
              accountsOf(row['accounts'])
                .map((entry) => accountText(entry, text))
                .join(', ') || '-',
            actions: () =>
              actions.map((action) => <Tag key={String(action['value'])}>{String(action['label'])}</Tag>),
          }}
        />
      }
      side={
        <QuickActions
          actions={[
            {
              type: 'switch',
              title: text('activate'),
              checked: row['is_active'] === true,
              disabled: access.inRoot || !access.canDo('change', AssetPermission),
              run: (checked) =>
                save.mutateAsync({ id: row.id, method: 'PATCH', values: { is_active: checked } }),
            },
          ]}
        />
      }
    />
  )
}
