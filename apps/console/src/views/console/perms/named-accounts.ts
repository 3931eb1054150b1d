import { accountAliases } from '@sallyport/contract/resources/accounts'
import type { KitText } from '../../../kit/text.ts'

const aliases = new Set<string>(Object.values(accountAliases))

/** Whether an entry of a permission's accounts stands for a choice, and is no name of an account. */
export const isAlias = (entry: string) => aliases.has(entry)

export function accountsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : typeof value === 'string' ? [value] : []).map(String)
}

/** Specified accounts are chosen, and none is specified: such a permission lets nobody in with any. */
export const lacksNames = (accounts: readonly string[]) =>
  accounts.includes(accountAliases.spec) && accounts.every(isAlias)

/** The same as a rule of a form. */
export const someNamed = (value: unknown, _values: unknown, t: KitText) =>
  lacksNames(accountsOf(value)) ? t('noAccountNamed') : undefined
