/** Accounts on assets: how they are written, who may read what opens them. */
import {
  Account,
  AccountSecret,
  isUuid,
  maxPageSize,
  choiceLabel,
  secretTypes,
  formatDatetime,
} from '@sallyport/contract'
import { and, desc, eq, sql, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { type Binding, narrowed, serve, type Served } from '../../kernel/resource/binding.ts'
import { identifiedBy, listRows, missing, presentFor, storedRow } from '../../kernel/resource/read.ts'
import { selectedIds } from '../../kernel/resource/selection.ts'
import { createRows } from '../../kernel/resource/write.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { org } from '../../kernel/resource/rows.ts'
import {
  type AccountsOfAssets,
  assetRelation,
  assets,
  labelAsset,
  platforms,
  underNode,
} from '../assets/index.ts'
import {
  type CheckConfirmed,
  keepHistory,
  openKey,
  prepareAccount,
  recordSeen,
  suggestUsernames,
} from './service.ts'
import { accountHistories, accounts } from './tables.ts'

export { accounts } from './tables.ts'

type Query = Record<string, string>
const ofAssets = (condition: SQL) =>
  sql`${accounts.asset_id} in (select ${assets.id} from ${assets} where ${condition})`
const ofPlatforms = (condition: SQL) =>
  ofAssets(sql`${assets.platform_id} in (select ${platforms.id} from ${platforms} where ${condition})`)

function ofNodes(value: string): SQL | undefined {
  const wanted = value.split(',', 100).filter((id) => isUuid(id))
  return wanted.length === 0 ? undefined : ofAssets(underNode(sql`any(${sql.param(wanted)}::uuid[])`, false))
}

const accountFilters = {
  asset_id: (value: string) => eq(accounts.asset_id, value),
  asset: (value: string) => eq(accounts.asset_id, value),
  assets: (value: string) => eq(accounts.asset_id, value),
  hostname: (value: string) => eq(accounts.name, value),
  has_secret: (value: string) => sql`(${accounts.secret} is not null) = ${value.toLowerCase() === 'true'}`,
  nodes: ofNodes,
  node_id: ofNodes,
  address: (value: string) => ofAssets(eq(assets.address, value)),
  ip: (value: string) => ofAssets(eq(assets.address, value)),
  platform: (value: string) => ofAssets(eq(assets.platform_id, Number(value))),
  category: (value: string) => ofPlatforms(sql`${platforms.category} = ${value}`),
  type: (value: string) => ofPlatforms(eq(platforms.type, value)),
} as const

/** By name, username or the asset's address. Each part on its own index; joined by `or` they would read the whole table. */
const found = (pattern: string) =>
  sql`${accounts.id} in (select own.id from ${accounts} as own where own.name ilike ${pattern} union all select own.id from ${accounts} as own where own.username ilike ${pattern} union all select own.id from ${accounts} as own join ${assets} on ${assets.id} = own.asset_id where ${assets.address} ilike ${pattern})`

const shared = {
  table: accounts,
  rows: org(accounts.org_id),
  relations: { asset: assetRelation, su_from: { table: accounts, rows: org(accounts.org_id) } },
  computed: { has_secret: sql`(${accounts.secret} is not null)` },
  filters: accountFilters,
  searches: [found],
  present: (ctx: Context, row: Record<string, unknown>) => {
    const asset = row['asset'] as Record<string, unknown> | undefined
    return asset ? { ...row, asset: labelAsset(asset, ctx.language) } : row
  },
} satisfies Binding

/** Accounts as they are listed. */
export const accountsRead: Served = serve(Account, shared)

const accountResource = (secrets: Secrets, checkConfirmed: CheckConfirmed): Served =>
  serve(Account, {
    ...shared,
    ahead: openKey,
    prepare: prepareAccount(secrets, checkConfirmed),
    saved: keepHistory,
  })

const secretResource = (secrets: Secrets): Served =>
  serve(AccountSecret, {
    ...shared,
    present: (ctx, row) => {
      const sealed = row['secret']
      return {
        ...shared.present(ctx, row),
        ...('secret' in row && { secret: typeof sealed === 'string' ? secrets.unseal(sealed) : null }),
      }
    },
  })

const confirmed = { permission: 'accounts.view_accountsecret' }

function secretRoutes(served: Served, secrets: Secrets, checkConfirmed: CheckConfirmed): Route[] {
  const base = '/api/v1/accounts/account-secrets/'
  const found = async (ctx: Context, id: string) => {
    const row = await storedRow(served, ctx, identifiedBy(served, id))
    if (row === undefined) throw missing(served)
    await recordSeen(ctx, String(row['name']), { id: String(row['id']), org_id: String(row['org_id']) })
    return row
  }
  return [
    route({
      method: 'GET',
      path: base,
      access: confirmed,
      transaction: true,
      handler: async (ctx, { query }) => {
        await checkConfirmed(ctx)
        const rows = await listRows(served, ctx, query as Query, {
          selected: await selectedIds(ctx, (query as Query)['spm'], base),
          maxLimit: maxPageSize,
          path: base,
        })
        await recordSeen(ctx, whatWasListed(query as Query))
        return rows
      },
    }),
    route({
      method: 'GET',
      path: `${base}:id/`,
      access: confirmed,
      transaction: true,
      handler: async (ctx, { params, query }) => {
        await checkConfirmed(ctx)
        const row = await found(ctx, params['id'] ?? '')
        return presentFor(served, ctx, row, 'detail', query as Query)
      },
    }),
    route({
      method: 'GET',
      path: `${base}:id/histories/`,
      access: confirmed,
      transaction: true,
      handler: async (ctx, { params, query }) => {
        await checkConfirmed(ctx)
        const account = await found(ctx, params['id'] ?? '')
        return await histories(
          ctx,
          secrets,
          account,
          query as Query,
          `${base}${String(account['id'])}/histories/`,
        )
      },
    }),
  ]
}

/** What the operate log calls a list of secrets (kernel.md 11). */
function whatWasListed(query: Query): string {
  const { limit: _limit, offset: _offset, format: _format, spm, order: _order, ...filters } = query
  if (spm !== undefined) return 'Export only selected items'
  const named = Object.entries(filters).map(([name, value]) => `${name}=${value}`)
  return named.length === 0 ? 'Export all' : `Export filtered: ${named.join(',')}`
}

const maxHistories = 1000
/** Newest first, without the one that is in force. */
async function histories(
  ctx: Context,
  secrets: Secrets,
  account: Readonly<Record<string, unknown>>,
  query: Query,
  path: string,
) {
  const rows = await ctx.db
    .select()
    .from(accountHistories)
    .where(
      and(
        eq(accountHistories.id, String(account['id'])),
        eq(accountHistories.org_id, String(account['org_id'])),
      ),
    )
    .orderBy(desc(accountHistories.history_id))
    .limit(maxHistories)
  const open = (sealed: unknown) => (typeof sealed === 'string' ? secrets.unseal(sealed) : null)
  const all = rows.map((row) => ({
    id: row.id,
    secret: open(row.secret),
    secret_type: { value: row.secret_type, label: choiceLabel(secretTypes, row.secret_type, ctx.language) },
    version: row.version,
    history_date: formatDatetime(row.history_date, ctx.zone),
    history_user: row.history_user,
  }))
  if (all[0] && all[0].secret === open(account['secret'])) all.shift()
  const limit = Number(query['limit'])
  if (!(limit > 0)) return all
  const offset = Math.max(0, Number(query['offset']) || 0)
  const end = offset + Math.min(limit, maxPageSize)
  const at = (from: number) => `${ctx.origin}${path}?limit=${limit}&offset=${from}`
  return {
    count: all.length,
    next: end < all.length ? at(end) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results: all.slice(offset, end),
  }
}

function helperRoutes(served: Served): Route[] {
  const base = '/api/v1/accounts/accounts/'
  const view = { permission: 'accounts.view_account' }
  return [
    route({
      method: 'GET',
      path: `${base}su-from-accounts/`,
      access: view,
      handler: async (ctx, { query }) => {
        const { account = '', asset = '', limit: _limit, offset: _offset, ...rest } = query as Query
        const condition = isUuid(account)
          ? sql`${accounts.asset_id} = (select own.asset_id from ${accounts} as own where own.id = ${account}) and ${accounts.id} <> ${account} and ${accounts.su_from_id} is distinct from ${account}`
          : isUuid(asset)
            ? eq(accounts.asset_id, asset)
            : sql`false`
        return await listRows(narrowed(served, condition), ctx, rest, {
          selected: undefined,
          maxLimit: maxPageSize,
          path: base,
        })
      },
    }),
    route({
      method: 'GET',
      path: `${base}username-suggestions/`,
      access: view,
      handler: (ctx, { query }) => {
        const { username = '', assets = '' } = query as Query
        return suggestUsernames(
          ctx,
          username,
          assets.split(',', 1000).filter((id) => isUuid(id)),
        )
      },
    }),
  ]
}

/** What assets need of accounts; see the domain of assets. */
export function accountsOfAssets(
  { secrets }: Pick<Ground, 'secrets'>,
  checkConfirmed: CheckConfirmed,
): AccountsOfAssets {
  const served = accountResource(secrets, checkConfirmed)
  return {
    make: async (ctx, given) => {
      await createRows(
        { served, ctx, secrets },
        given.map(({ assetId, account }) => {
          const { secret, passphrase, name, secret_type, ...rest } = account
          return {
            ...rest,
            name: name || null,
            secret_type: secret_type ?? 'password',
            asset: assetId,
            ...(secret ? { secret } : {}),
            ...(passphrase ? { passphrase } : {}),
          }
        }),
      )
    },
    listed: sql`(select coalesce(json_agg(json_build_object('id', ${accounts.id}, 'name', ${accounts.name}, 'username', ${accounts.username}, 'privileged', ${accounts.privileged}, 'is_active', ${accounts.is_active}, 'version', ${accounts.version}, 'secret_type', ${accounts.secret_type}) order by ${accounts.name}), '[]'::json) from ${accounts} where ${accounts.asset_id} = ${assets.id})`,
    amount: sql`(select count(*) from ${accounts} where ${accounts.asset_id} = ${assets.id})`,
  }
}

export function domain(ground: Pick<Ground, 'secrets'>, checkConfirmed: CheckConfirmed): Domain {
  const served = accountResource(ground.secrets, checkConfirmed)
  const withSecrets = secretResource(ground.secrets)
  return {
    name: 'accounts',
    resources: [served, withSecrets],
    routes: [...secretRoutes(withSecrets, ground.secrets, checkConfirmed), ...helperRoutes(served)],
  }
}
