import type { Asset } from '@sallyport/contract/resources/assets'
import { AccountsTable } from '../accounts/accounts-table.tsx'
import { idOf } from './platform.ts'

/** The accounts of one asset. */
export default function AssetAccounts({ row }: { row: Asset }) {
  const platformId = idOf(row.platform)
  return (
    <AccountsTable
      query={{ asset: row.id }}
      {...(platformId !== undefined && { asset: { id: row.id, platformId } })}
    />
  )
}
