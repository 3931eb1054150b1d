/** Which accounts a person may use on an asset, and for what (perms.md 6). Asked at each connection. */
import { accountAliases, type Language, type SecretType, serverTexts } from '@sallyport/contract'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import { accounts } from '../accounts/index.ts'
import { users } from '../users/index.ts'
import { grantsCovering, grantsNaming, isInForce } from './granted.ts'
import { assetPermissions } from './tables.ts'

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
  /** When the last grant for it ends. */
  date_expired: Date
}
interface Grant {
  accounts: string[]
  actions: number
  date_expired: Date
}

/** Up to here the grants of one side are looked through one by one. */
const fewGrants = 100

async function someOf(db: Executor, ids: ReturnType<typeof sql>): Promise<string[] | undefined> {
  const found = await db.execute<{ id: string }>(
    sql`select id from (${ids}) as candidates limit ${fewGrants + 1}`,
  )
  return found.rows.length > fewGrants ? undefined : found.rows.map(({ id }) => id)
}

/**
 * Grants in force that name the person and cover the asset, the latest expiry first. Starts from the side with few grants, so that
 * thousands of grants on the other side cost nothing.
 */
async function grantsBetween(
  db: Executor,
  userId: string,
  assetId: string,
  orgId: string | undefined,
): Promise<Grant[]> {
  const naming = grantsNaming(userId)
  const covering = grantsCovering(assetId)
  const own = await someOf(db, naming)
  if (own?.length === 0) return []
  const others = await someOf(db, covering)
  if (others?.length === 0) return []
  const among = (known: string[] | undefined, all: typeof naming) =>
    known === undefined
      ? sql`${assetPermissions.id} in (${all})`
      : sql`${assetPermissions.id} = any(${sql.param(known)}::uuid[])`
  // With a short list known on either side the long one is only probed for its members.
  const both =
    own !== undefined && others !== undefined
      ? among(
          own.filter((id) => others.includes(id)),
          naming,
        )
      : own !== undefined
        ? and(among(own, naming), probesCovering(assetId))
        : others !== undefined
          ? and(among(others, covering), probesNaming(userId))
          : and(among(undefined, naming), among(undefined, covering))
  return await db
    .select({
      accounts: assetPermissions.accounts,
      actions: assetPermissions.actions,
      date_expired: assetPermissions.date_expired,
    })
    .from(assetPermissions)
    .where(and(isInForce, both, orgId === undefined ? undefined : eq(assetPermissions.org_id, orgId)))
    .orderBy(desc(assetPermissions.date_expired))
}

const probesNaming = (userId: string) =>
  sql`(exists (select 1 from asset_permission_users u where u.assetpermission = ${assetPermissions.id} and u."user" = ${userId}) or exists (select 1 from asset_permission_user_groups g join user_group_members m on m.usergroup_id = g.usergroup where g.assetpermission = ${assetPermissions.id} and m.user_id = ${userId}))`
const probesCovering = (assetId: string) =>
  sql`(exists (select 1 from asset_permission_assets a where a.assetpermission = ${assetPermissions.id} and a.asset = ${assetId}) or exists (select 1 from asset_nodes n join node_ancestors c on c.node_id = n.node_id join asset_permission_nodes p on p.node = c.ancestor_id where n.asset_id = ${assetId} and p.assetpermission = ${assetPermissions.id}))`

const isAlias = (username: string) => username === '' || username.startsWith('@')

interface Entry {
  actions: number
  date_expired: Date
}

/** Entries of all grants: actions joined, the latest expiry kept. */
function mergedEntries(grants: readonly Grant[]): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  const merge = (name: string, grant: Grant) => {
    const known = entries.get(name)
    entries.set(name, {
      actions: (known?.actions ?? 0) | grant.actions,
      date_expired:
        known && known.date_expired > grant.date_expired ? known.date_expired : grant.date_expired,
    })
  }
  for (const grant of grants) for (const name of new Set(grant.accounts)) merge(name, grant)
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
  const entries = mergedEntries(await grantsBetween(db, userId, assetId, orgId))
  if (entries.size === 0) return []
  const [person] = await db.select({ username: users.username }).from(users).where(eq(users.id, userId))
  if (person === undefined) return []
  const wanted = [...entries.keys(), person.username]
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
      account.username === person.username ? entries.get(accountAliases.user) : undefined,
    ].filter((entry) => entry !== undefined)
    const first = reached[0]
    if (first === undefined) return []
    const sum = reached.reduce((all, entry) => ({
      actions: all.actions | entry.actions,
      date_expired: all.date_expired > entry.date_expired ? all.date_expired : entry.date_expired,
    }))
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
            has_username: alias === accountAliases.user,
            has_secret: false,
            secret_type: 'password',
            ...entry,
          },
        ]
      : []
  }
  const texts = serverTexts[language]
  const hasOwn = permitted.some(({ username }) => username === person.username)
  return [
    ...permitted,
    ...(hasOwn ? [] : virtual(accountAliases.user, texts.dynamic_user)),
    ...virtual(accountAliases.input, texts.manual_input),
  ]
}
