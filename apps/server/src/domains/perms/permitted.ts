/** Which accounts a person may use on an asset, and for what. Asked at each connection. */
import {
  accountAliases,
  choiceLabel,
  type Language,
  namesOf,
  permissionActions,
  type PermittedAccountRow,
  type SecretType,
  serverTexts,
} from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { accounts } from '../accounts/index.ts'
import { nodeTree } from '../assets/index.ts'
import { users } from '../users/index.ts'
import { grantsCovering, grantsNaming, isInForce, nodesOf } from './granted.ts'
import { assetPermissions, permissionAssets, permissionNodes } from './tables.ts'

export interface PermittedAccount {
  /** What it is asked for by: `@INPUT`, `@USER`, or the account's name. */
  alias: string
  /** Undefined for accounts typed by hand. */
  id: string | undefined
  name: string
  username: string
  has_username: boolean
  has_secret: boolean
  secret_type: SecretType
  /** Bits of `permissionActions`. */
  actions: number
  /** When the last grant to connect with it ends; where none allows that, long ago. */
  date_expired: Date
}
interface Grant {
  accounts: string[]
  actions: number
  date_expired: Date
}

/** Up to here the grants of one side are looked through one by one. */
const fewGrants = 32

interface Sides {
  username: string
  /** Ids of grants that name the person, and of those that cover the asset; undefined when there are many. */
  naming: string[] | undefined
  covering: string[] | undefined
}

/** `grantsCovering`, cut short: a node that thousands of grants name is read up to the limit only. */
const someCovering = (assetId: string) =>
  sql`select ${permissionAssets.assetpermission} as id
    from ${permissionAssets}
    where ${permissionAssets.asset} = ${assetId}
    union all
    select few.id
    from (${nodeTree.aboveAny(nodesOf(assetId))}) as over (id)
    cross join lateral (
      select ${permissionNodes.assetpermission} as id
      from ${permissionNodes}
      where ${permissionNodes.node} = over.id
      limit ${sql.raw(String(fewGrants + 1))}) as few`

async function sidesOf(db: Executor, userId: string, assetId: string): Promise<Sides | undefined> {
  const some = (ids: SQL) =>
    sql`array(select id from (${ids}) as candidates limit ${sql.raw(String(fewGrants + 1))})`
  const found = await db.execute<{ username: string; naming: string[]; covering: string[] }>(
    sql`select ${users.username} as username, ${some(grantsNaming(userId))} as naming,
        ${some(someCovering(assetId))} as covering
      from ${users}
      where ${users.id} = ${userId}`,
  )
  const [row] = found.rows
  const few = (ids: string[]) => (ids.length > fewGrants ? undefined : ids)
  return row && { username: row.username, naming: few(row.naming), covering: few(row.covering) }
}

/**
 * Ids of the grants that name the person and cover the asset. Starts from a side with few grants and looks only for these on the other,
 * so that thousands of grants on one side cost nothing.
 */
function between({ naming, covering }: Sides, userId: string, assetId: string): SQL {
  if (naming && covering) {
    const both = naming.filter((id) => covering.includes(id))
    return sql`select unnest(${sql.param(both)}::uuid[])`
  }
  if (naming) return grantsCovering(assetId, naming)
  if (covering) return grantsNaming(userId, covering)
  return sql`select id from (${grantsNaming(userId)}) as own where id in (${grantsCovering(assetId)})`
}

/** Grants in force that name the person and cover the asset. */
async function grantsFor(
  db: Executor,
  sides: Sides,
  userId: string,
  assetId: string,
  orgId: string | undefined,
): Promise<Grant[]> {
  return await db
    .select({
      accounts: assetPermissions.accounts,
      actions: assetPermissions.actions,
      date_expired: assetPermissions.date_expired,
    })
    .from(assetPermissions)
    .where(
      and(
        isInForce,
        sql`${assetPermissions.id} in (${between(sides, userId, assetId)})`,
        orgId === undefined ? undefined : eq(assetPermissions.org_id, orgId),
      ),
    )
}

const isAlias = (username: string) => username === '' || username.startsWith('@')

type Entry = Pick<Grant, 'actions' | 'date_expired'>

const never = new Date(0)
/** What goes on by a grant that does not allow to connect must not keep a session alive. */
const connectsUntil = ({ actions, date_expired }: Grant) =>
  (actions & permissionActions.bits.connect) === 0 ? never : date_expired

const joined = (one: Entry, other: Entry): Entry => ({
  actions: one.actions | other.actions,
  date_expired: one.date_expired > other.date_expired ? one.date_expired : other.date_expired,
})

/** Entries of all grants: actions joined, the latest end of those that allow to connect. */
function mergedEntries(grants: readonly Grant[]): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const grant of grants)
    for (const name of new Set(grant.accounts)) {
      const entry = { actions: grant.actions, date_expired: connectsUntil(grant) }
      entries.set(name, joined(entries.get(name) ?? entry, entry))
    }
  return entries
}

/**
 * The accounts a person may use on an asset now; empty when nothing was granted. `orgId` undefined: whatever the organization.
 * Whether the person and the asset are active is the caller's to check.
 */
export async function permittedAccounts(
  db: Executor,
  userId: string,
  assetId: string,
  orgId: string | undefined,
  language: Language = 'en',
): Promise<PermittedAccount[]> {
  const sides = await sidesOf(db, userId, assetId)
  if (sides === undefined || sides.naming?.length === 0 || sides.covering?.length === 0) return []
  const entries = mergedEntries(await grantsFor(db, sides, userId, assetId, orgId))
  if (entries.size === 0) return []
  const wanted = [...entries.keys(), sides.username]
  const stored = await db
    .select({
      id: accounts.id,
      name: accounts.name,
      username: accounts.username,
      secret_type: accounts.secret_type,
      has_secret: sql<boolean>`${accounts.secret} is not null`,
    })
    .from(accounts)
    .where(
      and(
        eq(accounts.asset_id, assetId),
        eq(accounts.is_active, true),
        entries.has(accountAliases.all)
          ? undefined
          : sql`${accounts.username} = any(${sql.param(wanted)}::text[])`,
      ),
    )
    .orderBy(accounts.name)
    .limit(10_000)
  const permitted = stored.flatMap((account): PermittedAccount[] => {
    const reached = [
      entries.get(accountAliases.all),
      isAlias(account.username) ? undefined : entries.get(account.username),
      account.username === sides.username ? entries.get(accountAliases.user) : undefined,
    ].filter((entry) => entry !== undefined)
    const first = reached[0]
    if (first === undefined) return []
    const sum = reached.reduce(joined)
    return [{ alias: account.name, ...account, has_username: account.username !== '', ...sum }]
  })
  const virtual = (alias: '@INPUT' | '@USER', name: string): PermittedAccount[] => {
    const entry = entries.get(alias)
    return entry
      ? [
          {
            alias,
            id: undefined,
            name,
            username: alias,
            has_username: true,
            has_secret: false,
            secret_type: 'password',
            ...entry,
          },
        ]
      : []
  }
  const texts = serverTexts[language]
  const hasOwn = permitted.some(({ username }) => username === sides.username)
  return [
    ...permitted,
    ...(hasOwn ? [] : virtual(accountAliases.user, texts.dynamic_user)),
    ...virtual(accountAliases.input, texts.manual_input),
  ]
}

/** The same as rows that are answered: those something may be done with. `orgId` as there. */
export async function permittedRows(
  { db, language }: Pick<Context, 'db' | 'language'>,
  userId: string,
  assetId: string,
  orgId: string | undefined,
): Promise<PermittedAccountRow[]> {
  const permitted = await permittedAccounts(db, userId, assetId, orgId, language)
  return permitted
    .filter(({ actions }) => actions !== 0)
    .map(({ id: _id, date_expired: _expired, actions, ...row }) => ({
      ...row,
      actions: namesOf(permissionActions, actions).map((value) => ({
        value,
        label: choiceLabel(permissionActions, value, language),
      })),
    }))
}
