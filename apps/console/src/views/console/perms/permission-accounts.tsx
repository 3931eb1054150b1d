import { AssetPermission } from '@sallyport/contract/resources/perms'
import { useQueryClient } from '@tanstack/react-query'
import { useAccess } from '../../../kit/access/access.ts'
import { useSave } from '../../../kit/api/hooks.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { Card, Columns } from '../../../kit/detail/card.tsx'
import { useErrorToast } from '../../../kit/feedback/errors.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { AccountsTable } from '../accounts/accounts-table.tsx'
import { AccountChoice } from './account-choice.tsx'

/** With which accounts people are let in. Each change holds at once. */
export default function PermissionAccounts({ row }: { row: AssetPermission }) {
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const client = useQueryClient()
  const showError = useErrorToast()
  const save = useSave(AssetPermission.path)
  const path = `perms/asset-permissions/${row.id}/accounts/`
  const change = async (accounts: string[]) => {
    try {
      await save.mutateAsync({ id: row.id, method: 'PATCH', values: { accounts } })
      await client.invalidateQueries({ queryKey: queryKeys.resource(path) })
      toast.success(t('updateSuccess'))
    } catch (error) {
      showError(error)
    }
  }
  return (
    <Columns
      main={<AccountsTable path={path} readOnly />}
      side={
        <Card title={text('accounts')}>
          <AccountChoice
            value={row.accounts}
            disabled={save.isPending || access.inRoot || !access.canDo('change', AssetPermission)}
            assetIds={row.assets.map(({ id }) => id)}
            nodeIds={row.nodes.map(({ id }) => id)}
            onChange={(accounts) => void change(accounts)}
          />
        </Card>
      }
    />
  )
}
