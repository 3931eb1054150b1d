import { Account } from '@sallyport/contract/resources/accounts'
import { CheckOutlined } from '@ant-design/icons'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { useAccess } from '../../../kit/access/access.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import { listPath, type Row, type RowId } from '../../../kit/api/resource.ts'
import type { ColumnSpec } from '../../../kit/list/columns.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import type { RowAction } from '../../../kit/list/row-actions.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { nothing } from '../../../kit/values/plain-value.ts'
import { idOf } from '../assets/platform.ts'

const AccountDialog = lazy(() => import('./account-dialog.tsx'))
const SecretDialog = lazy(() => import('./secret-dialog.tsx'))

export const accountListAddress = '/console/accounts/accounts'

interface AccountsTableProps {
  /** A narrower list than all accounts. */
  path?: string
  /** Only shows: accounts are neither added nor changed here. */
  readOnly?: boolean
  /** The asset all these accounts are on. */
  asset?: { id: RowId; platformId: RowId }
  inAddress?: boolean
}

/** Accounts in a list, with what opens them behind a confirmation. */
export function AccountsTable({ path, readOnly = false, asset, inAddress }: AccountsTableProps) {
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const [adding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Row>()
  const [opened, setOpened] = useState<Row>()
  const tick = (value: unknown) => (value === true ? <CheckOutlined aria-label={t('yes')} /> : nothing)
  const cells: Record<string, ColumnSpec> = {
    asset: {
      render: ({ asset: on }) =>
        isRecord(on) && access.can('assets.view_asset') ? (
          <Link to={`/console/assets/assets/${String(on['id'])}`}>{String(on['name'])}</Link>
        ) : isRecord(on) ? (
          String(on['name'])
        ) : (
          nothing
        ),
    },
    privileged: { render: (row) => tick(row['privileged']) },
    has_secret: { render: (row) => tick(row['has_secret']) },
  }
  const rowActions: RowAction[] = [
    {
      name: 'view',
      title: text('viewSecret'),
      order: 1,
      hidden: !access.can('accounts.view_accountsecret'),
      disabled: (row) => row['has_secret'] !== true,
      run: setOpened,
    },
    {
      name: 'update',
      title: t('update'),
      order: 10,
      hidden: readOnly || access.inRoot || !access.canDo('change', Account),
      run: setEdited,
    },
  ]
  const platformOf = (row: Row) => {
    const on = isRecord(row['asset']) ? row['asset'] : {}
    return idOf(on['platform']) ?? asset?.platformId
  }
  return (
    <>
      <ResourceList
        resource={Account}
        {...(path !== undefined && { path, describedBy: listPath(Account.path) })}
        base={accountListAddress}
        inAddress={inAddress ?? false}
        can={{ create: !readOnly, update: !readOnly, remove: !readOnly, clone: false, bulkRemove: !readOnly }}
        createTitle={text('addAccount')}
        onCreate={() => setAdding(true)}
        exclude={['spec_info', 'id', 'version', ...(asset ? ['asset'] : [])]}
        defaultColumns={[
          'name',
          'username',
          ...(asset ? [] : ['asset']),
          'privileged',
          'secret_type',
          'has_secret',
          'is_active',
        ]}
        minColumns={['name']}
        searchExclude={['asset', 'id']}
        cells={cells}
        rowActions={rowActions}
      />
      <Suspense>
        {adding && (
          <AccountDialog
            {...(asset && { assetId: asset.id, platformId: asset.platformId })}
            onClose={() => setAdding(false)}
          />
        )}
        {edited && (
          <AccountDialog
            accountId={edited.id}
            {...(platformOf(edited) !== undefined && { platformId: platformOf(edited) })}
            onClose={() => setEdited(undefined)}
          />
        )}
        {opened && <SecretDialog account={opened} onClose={() => setOpened(undefined)} />}
      </Suspense>
    </>
  )
}
