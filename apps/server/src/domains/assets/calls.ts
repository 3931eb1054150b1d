/** What can be done to assets, and asked of them, besides reading and writing them; and to favourites. */
import type { Asset, FavoriteAsset, Host } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { ApiError, refusedAs } from '../../kernel/errors.ts'
import { narrowed, type Served } from '../../kernel/resource/binding.ts'
import type { Implementations, RowList } from '../../kernel/resource/calls.ts'
import type { Query } from '../../kernel/resource/query.ts'
import { identifiedBy, missing, storedRow } from '../../kernel/resource/read.ts'
import { suggestedOrgs } from '../rbac/index.ts'
import { platformServed } from './platforms.ts'
import { assets, favoriteAssets } from './tables.ts'

const maxSuggestions = 10

/** The first few rows of a list, of organizations the caller is in. */
export function suggested(served: Served, ctx: Context, sent: Query): RowList {
  const { rows } = served.binding
  const orgs = 'column' in rows ? suggestedOrgs(ctx) : undefined
  return {
    served: orgs && 'column' in rows ? narrowed(served, sql`${rows.column} = any(${orgs})`) : served,
    query: { ...sent, ...(sent['action'] === 'suggestion' ? { fields_size: 'mini' } : {}) },
    atMost: maxSuggestions,
  }
}

/** What every list of assets can be asked. `gateways` is the list of them as it is served. */
const shared = (gateways: () => Served): Implementations<Omit<(typeof Host)['calls'], 'info'>> => ({
  suggestions: (ctx, { served, sent }) => Promise.resolve(suggested(served, ctx, sent)),
  platform: async (ctx, { row }) => {
    const id = String(row['platform_id'])
    const platform = await storedRow(platformServed, ctx, identifiedBy(platformServed, id))
    if (platform === undefined) throw missing(platformServed)
    return { served: platformServed, row: platform }
  },
  gateways: (_ctx, { row }) => {
    const id = row['domain_id'] as string | null
    return Promise.resolve({
      served: narrowed(gateways(), id === null ? sql`false` : eq(assets.domain_id, id)),
    })
  },
  specInfo: (_ctx, { row }) => Promise.resolve(row['spec_info']),
})

export const assetCalls = (gateways: () => Served): Implementations<(typeof Asset)['calls']> => ({
  ...shared(gateways),
  create: () => Promise.reject(refusedAs('error', 400, 'asset_create_by_category')),
})

export const hostCalls = (gateways: () => Served): Implementations<(typeof Host)['calls']> => ({
  ...shared(gateways),
  info: (_ctx, { row }) => {
    const { id, name, address, info } = row as unknown as Host
    return Promise.resolve({ ...info, asset: { id, name, address } })
  },
})

export const favoriteCalls: Implementations<(typeof FavoriteAsset)['calls']> = {
  remove: async (ctx, { query }) => {
    const removed = await ctx.db.execute(
      sql`delete from ${favoriteAssets} where user_id = ${callerOf(ctx).id} and asset = ${query.asset ?? null}`,
    )
    if (removed.rowCount !== 1) throw new ApiError(400, 'favorite_not_found')
  },
}
