import { accountAliases } from '@sallyport/contract/resources/accounts'
import { type MessageKey, useMessages } from '../../../kit/text.ts'
import { nothing } from '../../../kit/values/plain-value.ts'

const words: Readonly<Record<string, MessageKey>> = {
  [accountAliases.all]: 'allAccounts',
  [accountAliases.spec]: 'specifiedAccounts',
  [accountAliases.input]: 'manualAccount',
  [accountAliases.user]: 'sameAccount',
}

/** An entry of a permission's accounts in words: a username stays as it is. */
export function accountText(entry: string, text: (key: MessageKey) => string): string {
  const key = words[entry]
  return key ? text(key) : entry
}

export function AccountNames({ entries }: { entries: readonly string[] }) {
  const text = useMessages()
  return entries.map((entry) => accountText(entry, text)).join(', ') || nothing
}
