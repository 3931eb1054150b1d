import { Account } from '@sallyport/contract/resources/accounts'
import { lazy } from 'react'
import { Page } from '../../../kit/page/page.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { AssetTree } from '../assets/asset-tree.tsx'
import { updateAccount } from './account-actions.tsx'
import { AccountsTable } from './accounts-table.tsx'

const AccountInfo = lazy(() => import('./account-info.tsx'))

/** All accounts beside the trees that narrow them. */
function AccountList() {
  return (
    <Page>
      <TreeTable tree={<AssetTree withAssets counts="account" />}>
        <AccountsTable />
      </TreeTable>
    </Page>
  )
}

export default screens(Account, {
  page: AccountList,
  detail: {
    actions: [updateAccount()],
    tabs: [{ name: 'Detail', title: 'basicInformation', content: (row) => <AccountInfo row={row} /> }],
  },
})
