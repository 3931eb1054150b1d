import { AssetPermission } from '@sallyport/contract/resources/perms'
import { Tag } from 'antd'
import { listPath } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { useMessages } from '../../../kit/text.ts'
import { accountText } from './account-text.ts'

/** A permission in short, and whether it is switched on. */
export default function PermissionInfo({ row }: { row: AssetPermission }) {
  const text = useMessages()
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(AssetPermission.path)}
          fields={[
            'name',
            'users',
            'user_groups',
            'assets',
            'nodes',
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
            users: () => row.users.length,
            user_groups: () => row.user_groups.length,
            assets: () => row.assets.length,
            nodes: () => row.nodes.length,
            accounts: () => row.accounts.map((entry) => accountText(entry, text)).join(', ') || '-',
            actions: () => row.actions.map(({ value, label }) => <Tag key={value}>{label}</Tag>),
          }}
        />
      }
      side={
        <QuickActions
          resource={AssetPermission}
          row={row}
          toggles={[{ field: 'is_active', title: 'activate' }]}
        />
      }
    />
  )
}
