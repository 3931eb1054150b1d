import type { Account } from '@sallyport/contract/resources/accounts'
import { AccountTasks } from '@sallyport/contract/resources/probes'
import type { Action } from '../../../kit/actions/action.ts'
import { call } from '../../../kit/api/call.ts'

/** Whether accounts can be signed in with; its log is shown as it runs. */
export const verifyAccounts: Action<Account> = {
  name: 'verify',
  title: 'console:verifyAccount',
  titleMany: 'console:verifySelected',
  label: 'console:testNow',
  permission: 'accounts.verify_account',
  hidden: ({ inRoot }) => inRoot,
  when: ({ asset, has_secret: hasSecret }) => {
    const can = asset.auto_info as { ansible_enabled?: boolean; ping_enabled?: boolean } | undefined
    return hasSecret && can?.ansible_enabled === true && can.ping_enabled === true
  },
  task: (accounts) =>
    call(AccountTasks, 'start', { body: { action: 'verify', accounts: accounts.map(({ id }) => id) } }),
}
