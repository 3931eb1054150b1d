/** What can be done to assets, and asked of them, besides reading and writing them. */
import type { Asset, Host } from '@sallyport/contract'
import { eq, not, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { refusedAs } from '../../kernel/errors.ts'
import { type CallsOf, narrowed, type RowOf, type Served } from '../../kernel/resource/binding.ts'
import type { Implementations, RowList } from '../../kernel/resource/calls.ts'
import type { Query } from '../../kernel/resource/query.ts'
import { identifiedBy, missing, storedRow } from '../../kernel/resource/read.ts'
import { suggestedOrgs } from '../rbac/index.ts'
import { isGateway } from './reading.ts'
import { platformsRead } from './platforms.ts'
import { assets } from './tables.ts'

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

/** Of gateways nothing to who may not see machines. */
const suggestedAssets = (served: Served, ctx: Context, sent: Query): RowList =>
  suggested(ctx.can('assets.view_asset') ? served : narrowed(served, not(isGateway)), ctx, sent)

/** What these calls look at of an asset of any category. */
type Row = Pick<RowOf<typeof Host, typeof assets>, 'platform_id' | 'domain_id' | 'spec_info'>

/** What every list of assets can be asked. `gateways` is the list of them as it is served. */
export const sharedCalls = (
  gateways: () => Served,
): Implementations<Omit<(typeof Host)['calls'], 'info'>, unknown, Row> => ({
  suggestions: (ctx, { served, sent }) => Promise.resolve(suggestedAssets(served, ctx, sent)),
  platform: async (ctx, { row }) => {
    const id = String(row.platform_id)
    const platform = await storedRow(platformsRead, ctx, identifiedBy(platformsRead, id))
    if (platform === undefined) throw missing(platformsRead)
    return { served: platformsRead, row: platform }
  },
  gateways: (_ctx, { row: { domain_id: id } }) =>
    Promise.resolve({
      served: narrowed(gateways(), id === null ? sql`false` : eq(assets.domain_id, id)),
    }),
  specInfo: (_ctx, { row }) => Promise.resolve(row.spec_info),
})

export const assetCalls = (gateways: () => Served): CallsOf<typeof Asset, typeof assets> => ({
  ...sharedCalls(gateways),
  create: () => Promise.reject(refusedAs('error', 400, 'asset_create_by_category')),
})

export const hostCalls = (gateways: () => Served): CallsOf<typeof Host, typeof assets> => ({
  ...sharedCalls(gateways),
  info: (_ctx, { row: { id, name, address, info } }) =>
    Promise.resolve({ ...(info as Host['info']), asset: { id, name, address } }),
})
