import { AssetPermission } from '@sallyport/contract/resources/perms'
import { Account } from '@sallyport/contract/resources/accounts'
import { useQueryClient } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { useChange } from '../../../kit/detail/use-change.ts'
import { useErrorToast } from '../../../kit/feedback/errors.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { useKitText } from '../../../kit/text.ts'
import { AccountChoice } from './account-choice.tsx'
import { lacksNames } from './named-accounts.ts'

/** What was chosen over what was shown, done to what there is now. */
const merged = (now: readonly string[], shown: readonly string[], chosen: readonly string[]) => [
  ...new Set([
    ...now.filter((entry) => chosen.includes(entry) || !shown.includes(entry)),
    ...chosen.filter((entry) => !shown.includes(entry)),
  ]),
]

/** The choice of accounts a permission lets people in with. Each change holds at once. */
export default function PermissionAccounts({ row }: { row: AssetPermission }) {
  const t = useKitText()
  const access = useAccess()
  const client = useQueryClient()
  const showError = useErrorToast()
  const changeRow = useChange(AssetPermission)
  const [isBusy, setBusy] = useState(false)
  /** Shown until an account is named: without one it would hold for none. */
  const [unnamed, setUnnamed] = useState<readonly string[]>()
  const change = async (chosen: string[]) => {
    if (lacksNames(chosen)) {
      setUnnamed(chosen)
      return
    }
    setUnnamed(undefined)
    setBusy(true)
    try {
      await changeRow(row.id, (now) => ({ accounts: merged(now.accounts, row.accounts, chosen) }))
      await client.invalidateQueries({ queryKey: queryKeys.lists(Account.path) })
      toast.success(t('updateSuccess'))
    } catch (error) {
      showError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <AccountChoice
        value={unnamed ?? row.accounts}
        disabled={isBusy || access.inRoot || !access.canDo('change', AssetPermission)}
        assetIds={row.assets.map(({ id }) => id)}
        nodeIds={row.nodes.map(({ id }) => id)}
        onChange={(accounts) => void change(accounts)}
      />
      {unnamed && <Alert type="error" showIcon role="alert" title={t('noAccountNamed')} />}
    </>
  )
}
