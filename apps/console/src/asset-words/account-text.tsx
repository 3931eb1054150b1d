import { accountAliases } from '@sallyport/contract/resources/accounts'
import { type MessageKey, useMessages } from '../kit/text.ts'
import { PairText } from '../kit/values/pair-text.tsx'
import { nothing } from '../kit/values/plain-value.ts'

const words: Readonly<Record<string, MessageKey>> = {
  [accountAliases.all]: 'allAccounts',
  [accountAliases.spec]: 'specifiedAccounts',
  [accountAliases.input]: 'manualAccount',
  [accountAliases.user]: 'sameAccount',
}
/** An alias alone, or with what it stood for: `@INPUT(deploy)`. */
const aliased = /^(@[A-Z]+)(\(.*\))?$/su

/** A name and the same again as its username. */
const sameTwice = /^(.+)\(\1\)$/su

/** An account as the wire names it in words: a username stays as it is. */
export function accountText(entry: string, text: (key: MessageKey) => string): string {
  const [, alias = '', stoodFor = ''] = aliased.exec(entry) ?? []
  const key = words[alias]
  return key ? text(key) + stoodFor : entry
}

export function AccountNames({ entries }: { entries: readonly string[] }) {
  const text = useMessages()
  return entries.map((entry) => accountText(entry, text)).join(', ') || nothing
}

/** The account of a session or a command. */
export function AccountName({ row }: { row: { account: string } }) {
  const text = useMessages()
  const name = (accountText(row.account, text) || nothing).replace(sameTwice, '$1')
  return <PairText text={name} />
}
export const accountCell = { render: (row: { account: string }) => <AccountName row={row} /> }
