import { Account } from '@sallyport/contract/resources/accounts'
import { lazy, Suspense, useState } from 'react'
import { isRecord } from '../../../kit/api/errors.ts'
import { listPath, type Row } from '../../../kit/api/resource.ts'
import { DetailPage, type DetailTab } from '../../../kit/detail/detail-page.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { AssetTree } from '../assets/asset-tree.tsx'
import { idOf } from '../assets/platform.ts'
import { AccountsTable } from './accounts-table.tsx'

const AccountInfo = lazy(() => import('./account-info.tsx'))
const AccountDialog = lazy(() => import('./account-dialog.tsx'))

/** All accounts beside the trees that narrow them. */
function AccountList() {
  return (
    <Page>
      <TreeTable tree={<AssetTree withAssets counts="account" />}>
        <AccountsTable inAddress />
      </TreeTable>
    </Page>
  )
}

const tabs: readonly DetailTab[] = [
  { name: 'Detail', title: 'basicInformation', content: (row) => <AccountInfo row={row} /> },
]

function AccountDetail() {
  const [edited, setEdited] = useState<Row>()
  const platformId = isRecord(edited?.['asset']) ? idOf(edited['asset']['platform']) : undefined
  return (
    <>
      <DetailPage resource={Account} path={listPath(Account.path)} tabs={tabs} onUpdate={setEdited} />
      {edited && (
        <Suspense>
          <AccountDialog
            accountId={edited.id}
            {...(platformId !== undefined && { platformId })}
            onClose={() => setEdited(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

export default { list: AccountList, detail: AccountDetail }
