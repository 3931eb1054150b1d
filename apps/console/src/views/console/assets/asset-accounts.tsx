import type { Row } from '../../../kit/api/resource.ts'
import { AccountsTable } from '../accounts/accounts-table.tsx'
import { idOf } from './platform.ts'

/** The accounts of one asset. */
export default function AssetAccounts({ row }: { row: Row }) {
  const platformId = idOf(row['platform'])
  return (
    <AccountsTable
      path={`accounts/accounts/?asset=${row.id}`}
      {...(platformId !== undefined && { asset: { id: row.id, platformId } })}
    />
  )
}
