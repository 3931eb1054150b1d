import type { Account } from '@sallyport/contract/resources/accounts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import type { Action } from '../../../kit/actions/action.ts'
import { updateAction } from '../../../kit/actions/usual-actions.ts'
import type { RowId } from '../../../kit/api/resource.ts'
import { idOf } from '../assets/platform.ts'

const AccountDialog = lazyPart(() => import('./account-dialog.tsx'))
const SecretDialog = lazyPart(() => import('./secret-dialog.tsx'))

/** Reading what opens an account, behind a confirmation. */
export const viewSecret: Action<Account> = {
  name: 'view',
  title: 'console:viewSecret',
  label: 'console:view',
  order: 1,
  permission: 'accounts.view_accountsecret',
  when: (account) => account.has_secret,
  dialog: (row, close) => <SecretDialog account={row} onClose={close} />,
}

/** Changing an account in a dialog; `platformId` where the account itself does not tell the platform of its asset. */
export const updateAccount = (platformId?: RowId): Action<Account> => ({
  ...updateAction<Account>(false),
  permission: 'accounts.change_account',
  hidden: (access) => access.inRoot,
  dialog: (row, close) => (
    <AccountDialog
      accountId={row.id}
      platformId={idOf(row.asset['platform']) ?? platformId}
      onClose={close}
    />
  ),
})
