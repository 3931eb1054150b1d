import { Account } from '@sallyport/contract/resources/accounts'
import { useAccess } from '../../../kit/access/access.ts'
import { addressOf } from '../../../kit/api/call.ts'
import { useSave } from '../../../kit/api/hooks.ts'
import { useErrorToast } from '../../../kit/feedback/errors.ts'
import { RelationSelect } from '../../../kit/relation/relation-select.tsx'
import { useMessages } from '../../../kit/text.ts'

/** Chooses the account one signs in as, to become this one. */
export default function SwitchFromSelect({ account }: { account: Account }) {
  const text = useMessages()
  const { can, inRoot } = useAccess()
  const save = useSave(Account.path)
  const showError = useErrorToast()
  const source = {
    path: addressOf(Account, 'suFrom', {}),
    query: { account: account.id, fields_size: 'mini' },
    labelOf: (row: object) => {
      const { name, username } = row as Partial<Account>
      return username === undefined ? (name ?? '') : `${name}(${username})`
    },
  }
  return (
    <RelationSelect
      label={text('console:switchFrom')}
      source={source}
      multiple={false}
      value={account.su_from}
      placeholder={text('console:switchFromNobody')}
      disabled={inRoot || !can('accounts.change_account') || save.isPending}
      onChange={(chosen) => {
        const su_from = chosen && !Array.isArray(chosen) ? (chosen.id ?? null) : null
        save.mutateAsync({ id: account.id, method: 'PATCH', values: { su_from } }).catch(showError)
      }}
    />
  )
}
