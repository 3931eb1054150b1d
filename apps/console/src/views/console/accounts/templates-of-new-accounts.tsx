import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { useMemo } from 'react'
import type { FormValues } from '../../../kit/form/paths.ts'
import { PickDialog } from '../../../kit/list/pick-dialog.tsx'
import { useMessages } from '../../../kit/text.ts'

const columns = ['name', 'username', 'secret_type', 'privileged'] as const

/** Accounts are told apart by username and kind of secret. */
const keyOf = (account: FormValues) => JSON.stringify([account['username'], account['secret_type']])

/** Templates new accounts are made of: those the protocols can use, each once. */
export default function TemplatesOfNewAccounts({
  protocols,
  there,
  onChoose,
  onClose,
}: {
  protocols: readonly string[]
  /** The accounts there are already. */
  there: readonly FormValues[]
  onChoose: (accounts: readonly FormValues[]) => void
  onClose: () => void
}) {
  const text = useMessages()
  const query = useMemo(() => ({ protocols: protocols.join() }), [protocols])
  return (
    <PickDialog
      title={text('console:accountTemplateAdd')}
      list={{ resource: AccountTemplate, query, columns }}
      onChoose={(rows) => {
        const accounts = (rows as unknown as AccountTemplate[]).map(
          ({ id, name, username, secret_type, privileged, is_active }): FormValues => ({
            id,
            template: true,
            name,
            username,
            secret_type: secret_type.value,
            privileged,
            is_active,
          }),
        )
        const known = new Set(there.map(keyOf))
        for (const account of accounts) {
          const key = keyOf(account)
          if (known.has(key)) {
            throw new Error(text('console:accountTemplateTwice', { username: String(account['username']) }))
          }
          known.add(key)
        }
        onChoose(accounts)
      }}
      onClose={onClose}
    />
  )
}
