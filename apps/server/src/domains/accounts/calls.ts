/** What is asked of accounts besides reading and writing them, and how their secrets are told. */
import { type Account, type AccountSecret, isUuid } from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import { containing } from '../../kernel/database/index.ts'
import type { Context } from '../../kernel/context.ts'
import { type CallsOf, narrowed, type RowOf } from '../../kernel/resource/binding.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { historiesOf } from './histories.ts'
import { addToMany } from './many-assets.ts'
import { listSeen, recordSeen } from './seen.ts'
import { accounts } from './tables.ts'

const maxUsernames = 10
const maxAssets = 1000
/** Where there are more names than this, few accounts have the same. */
const mostWalked = 2000

export const accountCalls = (secrets: Secrets): CallsOf<typeof Account, typeof accounts> => ({
  suFrom: (_ctx, { served, query: { account, asset }, sent }) => {
    // Told whole, as clients of the wire expect it.
    const { limit: _limit, offset: _offset, ...query } = sent
    return Promise.resolve({ served: narrowed(served, sameAsset(account, asset)), query })
  },
  usernames: (ctx, { query: { username = '', assets = '' } }) =>
    usernamesInUse(
      ctx,
      username,
      assets.split(',', maxAssets).filter((id) => isUuid(id)),
    ),
  addToMany: addToMany(secrets),
})

function sameAsset(account: string | undefined, asset: string | undefined): SQL {
  if (account !== undefined)
    return sql`${accounts.asset_id} = (select own.asset_id from ${accounts} as own where own.id = ${account})
      and ${accounts.id} <> ${account}
      and ${accounts.su_from_id} is distinct from ${account}`
  return asset === undefined ? sql`false` : eq(accounts.asset_id, asset)
}

/** Usernames in use that contain a text, the usual administrators first. */
async function usernamesInUse(ctx: Context, text: string, assetIds: readonly string[]): Promise<string[]> {
  const pattern = containing(text)
  const org = ctx.org.is_root ? sql`true` : eq(accounts.org_id, ctx.org.id)
  const first = (names: SQL) =>
    sql`select username from (${names}) as names where username ilike ${pattern}
      order by lower(username) not in ('root', 'admin', 'administrator'), username limit ${maxUsernames}`
  const among = (condition: SQL) =>
    first(
      sql`select distinct username from ${accounts} where username ilike ${pattern} and username <> '' and ${condition}`,
    )
  if (assetIds.length > 0) {
    const list = sql`${accounts.asset_id} = any(${sql.param(assetIds)}::uuid[])`
    return await usernames(ctx, among(sql`${org} and ${list}`))
  }
  // Most accounts are called as many others are: from one name to the next is quicker than by the account.
  const next = (after: SQL) =>
    sql`select username from ${accounts} where ${org} and username > ${after} order by username limit 1`
  const { rows } = await ctx.db.execute<{ walked: number; names: string[] }>(
    sql`with recursive walk (username, step) as (
        select username, 1 from (${next(sql`''`)}) as start
        union all
        select next.username, walk.step + 1 from walk
          cross join lateral (${next(sql`walk.username`)}) as next
          where walk.step < ${mostWalked})
      select (select count(*)::int from walk) as walked, array(${first(sql`select username from walk`)}) as names`,
  )
  const [found] = rows
  if (found && found.walked < mostWalked) return found.names
  return await usernames(ctx, among(org))
}

async function usernames(ctx: Context, query: SQL): Promise<string[]> {
  const { rows } = await ctx.db.execute<{ username: string }>(query)
  return rows.map(({ username }) => username)
}

const books = { type: 'accounts.account', org: accounts.org_id } as const
const seen = (ctx: Context, { id, name, asset, org_id }: RowOf<typeof AccountSecret, typeof accounts>) =>
  recordSeen(ctx, { resource_type: books.type, resource: `${name}@${asset.name}`, org_id, id })

export const secretCalls = (secrets: Secrets): CallsOf<typeof AccountSecret, typeof accounts> => ({
  open: (ctx, called) => listSeen(ctx, called, books),
  openOne: (ctx, { row }) => seen(ctx, row),
  histories: async (ctx, { row }) => {
    await seen(ctx, row)
    return await historiesOf(ctx, secrets, row)
  },
})
