import { type Account, AccountSecret } from '@sallyport/contract/resources/accounts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useAccess } from '../../../kit/access/access.ts'
import { openDialog } from '../../../kit/actions/open-dialog.tsx'
import type { RowId } from '../../../kit/api/resource.ts'
import type { RelatedList } from '../../../kit/detail/parts.tsx'
import { connectivityCell } from '../../../kit/status/connectivity.tsx'
import { updateAccount, viewSecret } from './account-actions.tsx'
import { verifyAccounts } from './account-tasks.ts'
import { Link } from '../../../kit/routes/navigation.tsx'
import { SwitchFromLost } from './switch-from.tsx'
import { Tick } from './tick.tsx'

const AccountDialog = lazyPart(() => import('./account-dialog.tsx'))

interface AssetOfAccounts {
  assetId: RowId
  platformId: RowId
}

/** How accounts look in every list of them, with what opens them behind a confirmation. */
export const accountsShown = {
  base: '/console/accounts/accounts',
  can: 'read',
  exclude: ['spec_info', 'id', 'version', 'connectivity_reason'],
  defaultColumns: ['name', 'username', 'asset', 'privileged', 'secret_type', 'source', 'connectivity'],
  minColumns: ['name'],
  searchExclude: ['asset', 'id'],
  cells: {
    name: { leastPx: 126 },
    username: { leastPx: 74 },
    secret_type: { leastPx: 72 },
    source: { leastPx: 54 },
    asset: { wrap: true, leastPx: 126, render: (row: Account) => <AssetLink asset={row.asset} /> },
    connectivity: { ...connectivityCell, widthPx: 87 },
    privileged: { widthPx: 70, render: (row: Account) => <Tick on={row.privileged} /> },
    has_secret: { render: (row: Account) => <Tick on={row.has_secret} /> },
  },
  rowActions: [viewSecret],
  exportAs: AccountSecret,
} as const

/** Accounts that can be added and changed; `asset` where they are all on the same. */
export const accountList = (asset?: AssetOfAccounts): RelatedList<typeof Account> => ({
  ...accountsShown,
  can: { update: false, clone: false },
  removeConsequence: () => <SwitchFromLost />,
  createTitle: 'console:addAccount',
  onCreate: () => openDialog((close) => <AccountDialog {...asset} onClose={close} />),
  ...(asset && {
    exclude: [...accountsShown.exclude, 'asset'],
    defaultColumns: accountsShown.defaultColumns.filter((name) => name !== 'asset'),
  }),
  rowActions: [viewSecret, { ...verifyAccounts, title: 'console:testNow' }, updateAccount(asset?.platformId)],
  bulkActions: [verifyAccounts],
})

/** The asset an account is on; a link for whom may see assets. */
export function AssetLink({ asset }: { asset: Account['asset'] }) {
  const { can } = useAccess()
  return can('assets.view_asset') ? (
    <Link to={`/console/assets/assets/${asset.id}`}>{asset.name}</Link>
  ) : (
    asset.name
  )
}
