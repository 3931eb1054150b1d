/** Whether a rule about assets is about a connection. */
import { and, eq, ne, or, type SQL, sql } from 'drizzle-orm'
import { isAddresses, isAmong } from '../../kernel/addresses.ts'
import type { commandFilterAcls, loginAssetAcls } from './tables.ts'

/** Who connects to what, with which account. */
export interface Connecting {
  orgId: string
  /** Of the person. */
  username: string
  asset: { name: string; address: string }
  /** What the account is called: a typed one both by its alias and by what was typed, so that no rule about `root` is passed by typing it. */
  accounts: readonly string[]
}

type RuleTable = typeof loginAssetAcls | typeof commandFilterAcls

const names = (group: SQL, wanted: readonly string[]) =>
  sql`${group} ?| ${sql.param(['*', ...wanted])}::text[]`

/** `CORP\root`, `.\root`, `root@corp.example`: the account `root`, for machines that know of domains. */
const withoutDomain = (name: string) => name.replace(/^.*\\/, '').replace(/(?<=.)@.*$/, '')

/** In whatever case, and with a domain: to machines that may all be one account. */
const namesAlike = (group: SQL, wanted: readonly string[]) => {
  const alike = wanted.flatMap((name) => [name, withoutDomain(name)])
  return sql`lower(${group}::text)::jsonb ?| array(select lower(name) from unnest(${sql.param(alike)}::text[]) as name)`
}

/** SQL: the active rules of the asset's organization that name the person, the asset and the account; addresses are looked at after it. */
export const isNamedBy = (
  table: RuleTable,
  { orgId, username, asset, accounts }: Connecting,
): SQL | undefined =>
  and(
    eq(table.org_id, orgId),
    table.is_active,
    names(sql`${table.users} -> 'username_group'`, [username]),
    names(sql`${table.assets} -> 'name_group'`, [asset.name]),
    // What lets in is about the very name: to other machines the others are other accounts.
    or(
      names(sql`${table.accounts} -> 'username_group'`, accounts),
      and(ne(table.action, 'accept'), namesAlike(sql`(${table.accounts} -> 'username_group')`, accounts)),
    ),
  )

/** Host names are the same in whatever case. Only what stands for several addresses is looked into. */
export function isAtAddress(address: string, items: readonly string[]): boolean {
  const wanted = address.toLowerCase()
  return (
    items.some((item) => item === '*' || item.toLowerCase() === wanted) ||
    isAmong(
      address,
      items.filter((item) => /[/:-]/.test(item)),
    )
  )
}

/**
 * Names are of letters, digits, `_` and `-` between dots (those of machines of a house are not always the internet's); what ends in a number
 * alone would be an address (WHATWG URL, 3.5).
 */
const hostName =
  /^(?!(.*\.)?\d+\.?$)(?=.{1,254}$)[\p{L}\p{M}\p{N}_-]{1,63}(\.[\p{L}\p{M}\p{N}_-]{1,63})*\.?$/u

/** Whether a text says which assets are meant; another would be in no asset's address. */
export const isAddressOrHost = (item: string): boolean => isAddresses(item) || hostName.test(item)
