import { Account } from '@sallyport/contract/resources/accounts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { card, facts, type Part, quick } from '../../../kit/detail/parts.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { AssetTree } from '../assets/asset-tree.tsx'
import { updateAccount, viewSecret } from './account-actions.tsx'
import { verifyAccounts } from './account-tasks.ts'
import { accountList, AssetLink } from './account-list.tsx'
import { canSwitch, SwitchFromLost } from './switch-from.tsx'

// The list comes without what only the detail chooses.
const SwitchFromSelect = lazyPart(() => import('./switch-from-select.tsx'))

const list = accountList()

/** All accounts beside the trees that narrow them. */
function AccountList() {
  return (
    <Page>
      <TreeTable tree={<AssetTree withAssets counts="account" />}>
        <ResourceList {...list} resource={Account} />
      </TreeTable>
    </Page>
  )
}

const switching = card<Account>('console:switchFrom', (account) => <SwitchFromSelect account={account} />)
const switchCard: Part<Account> = {
  show: (account) => (canSwitch(account) ? switching.show(account) : null),
}

export default screens(Account, {
  page: AccountList,
  detail: {
    called: ({ name, asset }) => `${name}@${asset.name}`,
    actions: [updateAccount()],
    removeConsequence: () => <SwitchFromLost />,
    tabs: [
      {
        name: 'Detail',
        title: 'basicInformation',
        main: facts(Account, {
          fields: [
            'id',
            'name',
            'username',
            'secret_type',
            'has_secret',
            'asset',
            'su_from',
            'source',
            'version',
            'connectivity',
            'date_verified',
            'connectivity_reason',
            'is_active',
            'created_by',
            'date_created',
            'date_updated',
            'comment',
          ],
          values: { asset: (row) => <AssetLink asset={row.asset} /> },
        }),
        side: [
          quick(Account, {
            toggles: [
              { field: 'is_active', title: 'activate' },
              { field: 'privileged', title: 'console:privileged' },
            ],
            actions: [verifyAccounts, viewSecret],
          }),
          switchCard,
        ],
      },
    ],
  },
})
