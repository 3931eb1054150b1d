import { maxPageSize, isUuid } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Domain } from '../../kernel/domain.ts'
import { refusedAs } from '../../kernel/errors.ts'
import type { Ground } from '../../kernel/ground.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { narrowed, type Served } from '../../kernel/resource/binding.ts'
import { identifiedBy, listRows, missing, retrieveRow, storedRow } from '../../kernel/resource/read.ts'
import { type AssetResources, assetResources, type AccountsOfAssets } from './assets.ts'
import { categoryRoutes } from './categories.ts'
import { domainResource, favoriteResource, favoriteRoutes, labelResource } from './groupings.ts'
import { nodeResource, nodeRoutes, suggestions } from './node-resource.ts'
import { ensureRoot, renameRoot } from './nodes.ts'
import { platformResource } from './platforms.ts'
import { seed } from './seed.ts'
import { assets } from './tables.ts'

export { type AccountsOfAssets, allAssets } from './assets.ts'
export { assetFilters, underNode } from './filters.ts'
export { suggestions } from './node-resource.ts'
export { assetsAmount, ensureRoot, fullValue as nodePath } from './nodes.ts'
export { assetNodes, assets, favoriteAssets, nodeAncestors, nodes, platforms } from './tables.ts'
export {
  assetReading,
  assetRelation,
  domainRelation,
  labelAsset,
  nodeRelation,
  platformRelation,
} from './reading.ts'
export { cutTree, nodeOfTree, readAtMost, readNodes, readTreeAssets, type ReadNode } from './tree.ts'

type Query = Record<string, string>

/** Addresses below one asset, for each list assets are found in. */
function detailRoutes(served: Served, resources: AssetResources): Route[] {
  const base = `/api/v1/${served.resource.path}/`
  const found = async (ctx: Context, id: string | undefined) => {
    const row = isUuid(id ?? '') ? await storedRow(served, ctx, identifiedBy(served, id ?? '')) : undefined
    if (row === undefined) throw missing(served)
    return row
  }
  return [
    route({
      method: 'GET',
      path: `${base}suggestions/`,
      access: { permission: 'assets.match_asset' },
      handler: (ctx, { query }) => suggestions(served, ctx, query as Query, `${base}suggestions/`),
    }),
    route({
      method: 'GET',
      path: `${base}:id/platform/`,
      access: { permission: 'assets.view_platform' },
      handler: async (ctx, { params }) => {
        const row = await found(ctx, params['id'])
        return await retrieveRow(platformResource, ctx, String(row['platform_id']), {})
      },
    }),
    route({
      method: 'GET',
      path: `${base}:id/gateways/`,
      access: { permission: 'assets.view_gateway' },
      handler: async (ctx, { params, query }) => {
        const row = await found(ctx, params['id'])
        const id = row['domain_id'] as string | null
        const inDomain = id === null ? sql`false` : eq(assets.domain_id, id)
        return await listRows(narrowed(resources.gateways, inDomain), ctx, query as Query, {
          selected: undefined,
          maxLimit: maxPageSize,
          path: `${base}${String(row['id'])}/gateways/`,
        })
      },
    }),
    route({
      method: 'GET',
      path: `${base}:id/spec-info/`,
      access: { permission: 'assets.view_asset' },
      handler: async (ctx, { params }) => (await found(ctx, params['id']))['spec_info'],
    }),
  ]
}

function infoRoute(served: Served): Route {
  return route({
    method: 'GET',
    path: `/api/v1/${served.resource.path}/:id/info/`,
    access: { permission: 'assets.view_asset' },
    handler: async (ctx, { params }) => {
      const row = await storedRow(served, ctx, identifiedBy(served, params['id'] ?? ''))
      if (row === undefined) throw missing(served)
      const asset = { id: row['id'], name: row['name'], address: row['address'] }
      return { ...(row['info'] as object), asset }
    },
  })
}

/** Assets of all organizations, as a licence counts them. */
export const countAssets = ({ db }: Ground['database']): Promise<number> => db.$count(assets)

/** Assets, platforms, nodes, domains, labels and favourites. */
export function domain(ground: Pick<Ground, 'database' | 'secrets'>, accountsOf: AccountsOfAssets): Domain {
  const resources = assetResources(accountsOf)
  const lists = [resources.all, resources.hosts, resources.gateways]
  return {
    name: 'assets',
    resources: [platformResource, nodeResource, domainResource, labelResource, favoriteResource, ...lists],
    routes: [
      route({
        method: 'POST',
        path: '/api/v1/assets/assets/',
        access: { permission: 'assets.add_asset' },
        handler: () => Promise.reject(refusedAs('error', 400, 'asset_create_by_category')),
      }),
      ...categoryRoutes(accountsOf),
      ...favoriteRoutes,
      ...nodeRoutes(ground.secrets, resources.all),
      ...lists.flatMap((served) => detailRoutes(served, resources)),
      infoRoute(resources.hosts),
      infoRoute(resources.gateways),
    ],
    seed: () => seed(ground.database.db),
    // The root of the tree is called as its organization is.
    onRecord: async (ctx, events) => {
      for (const event of events) {
        if (event.type !== 'created' && event.type !== 'updated') continue
        if (event.resource.model !== 'organization') continue
        const org = { id: event.id, name: String(event.after?.['name']) }
        if (event.type === 'created') await ensureRoot(ctx.db, org)
        else await renameRoot(ctx.db, org)
      }
    },
  }
}
