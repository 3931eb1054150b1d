import { Account } from '@sallyport/contract/resources/accounts'
import { CheckOutlined } from '@ant-design/icons'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import type { QueryOf } from '../../../kit/api/names.ts'
import type { RowId } from '../../../kit/api/resource.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { useKitText } from '../../../kit/text.ts'
import { nothing } from '../../../kit/values/plain-value.ts'
import { updateAccount, viewSecret } from './account-actions.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'

const AccountDialog = lazy(() => import('./account-dialog.tsx'))

export const accountListAddress = '/console/accounts/accounts'

interface AccountsTableProps {
  /** Another list than that of all accounts. */
  path?: string
  query?: QueryOf<typeof Account>
  /** Only shows: accounts are neither added nor changed here. */
  readOnly?: boolean
  /** The asset all these accounts are on. */
  asset?: { id: RowId; platformId: RowId }
}

/** Accounts in a list, with what opens them behind a confirmation. */
export function AccountsTable({ path, query, readOnly = false, asset }: AccountsTableProps) {
  const [adding, setAdding] = useState(false)
  const platformId = asset?.platformId
  const rowActions = useMemo(
    () => (readOnly ? [viewSecret] : [viewSecret, updateAccount(platformId)]),
    [readOnly, platformId],
  )
  return (
    <>
      <ResourceList
        resource={Account}
        path={path}
        query={query}
        describedBy={path && Account.path}
        base={accountListAddress}
        can={{ create: !readOnly, update: false, remove: !readOnly, clone: false, bulkRemove: !readOnly }}
        createTitle="addAccount"
        onCreate={() => setAdding(true)}
        exclude={['spec_info', 'id', 'version', ...(asset ? (['asset'] as const) : [])]}
        defaultColumns={[
          'name',
          'username',
          ...(asset ? [] : (['asset'] as const)),
          'privileged',
          'secret_type',
          'has_secret',
          'is_active',
        ]}
        minColumns={['name']}
        searchExclude={['asset', 'id']}
        cells={{
          asset: { render: (row) => <AssetLink asset={row.asset} /> },
          privileged: { render: (row) => <Tick on={row.privileged} /> },
          has_secret: { render: (row) => <Tick on={row.has_secret} /> },
        }}
        rowActions={rowActions}
      />
      {adding && (
        <Suspense>
          <AccountDialog
            {...(asset && { assetId: asset.id, platformId: asset.platformId })}
            onClose={() => setAdding(false)}
          />
        </Suspense>
      )}
    </>
  )
}

function Tick({ on }: { on: boolean }) {
  const t = useKitText()
  return on ? <CheckOutlined aria-label={t('yes')} /> : nothing
}

/** The asset an account is on; a link for whom may see assets. */
export function AssetLink({ asset }: { asset: Account['asset'] }) {
  const { can } = useAccess()
  return can('assets.view_asset') ? (
    <Link to={`/console/assets/assets/${asset.id}`}>{asset.name}</Link>
  ) : (
    asset.name
  )
}
