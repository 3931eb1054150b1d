import { Account } from '@sallyport/contract/resources/accounts'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useAccess } from '../../../kit/access/access.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import { useSave } from '../../../kit/api/hooks.ts'
import { listPath, type Row } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { useMessages } from '../../../kit/text.ts'

const SecretDialog = lazy(() => import('./secret-dialog.tsx'))

const shown = [
  'id',
  'name',
  'username',
  'secret_type',
  'has_secret',
  'asset',
  'su_from',
  'source',
  'version',
  'is_active',
  'created_by',
  'date_created',
  'date_updated',
  'comment',
]

const assetLink = (asset: Readonly<Record<string, unknown>>) => (
  <Link to={`/console/assets/assets/${String(asset['id'])}`}>{String(asset['name'])}</Link>
)

/** An account, and what can be done with it at once. */
export default function AccountInfo({ row }: { row: Row }) {
  const text = useMessages()
  const access = useAccess()
  const save = useSave(Account.path)
  const [opened, setOpened] = useState(false)
  const forbidden = access.inRoot || !access.canDo('change', Account)
  const patch = (values: Record<string, unknown>) => save.mutateAsync({ id: row.id, method: 'PATCH', values })
  const asset = isRecord(row['asset']) ? row['asset'] : undefined
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(Account.path)}
          fields={shown}
          values={
            asset && access.can('assets.view_asset')
              ? {
                  asset: () => assetLink(asset),
                }
              : {}
          }
        />
      }
      side={
        <>
          <QuickActions
            actions={[
              {
                type: 'switch',
                title: text('activate'),
                checked: row['is_active'] === true,
                disabled: forbidden,
                run: (checked) => patch({ is_active: checked }),
              },
              {
                type: 'switch',
                title: text('privileged'),
                checked: row['privileged'] === true,
                disabled: forbidden,
                run: (checked) => patch({ privileged: checked }),
              },
              {
                type: 'button',
                title: text('viewSecret'),
                label: text('view'),
                disabled: !access.can('accounts.view_accountsecret') || row['has_secret'] !== true,
                run: () => setOpened(true),
              },
            ]}
          />
          {opened && (
            <Suspense>
              <SecretDialog account={row} onClose={() => setOpened(false)} />
            </Suspense>
          )}
        </>
      }
    />
  )
}
