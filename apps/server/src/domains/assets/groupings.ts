/** Domains, labels and favourites. */
import { Domain, FavoriteAsset, Label } from '@sallyport/contract'
import { and, eq, sql } from 'drizzle-orm'
import { type Context, callerOf } from '../../kernel/context.ts'
import { ApiError, invalid, ValidationError } from '../../kernel/errors.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import { serve, type Through } from '../../kernel/resource/binding.ts'
import { org, own } from '../../kernel/resource/rows.ts'
import { isGateway } from './assets.ts'
import { assetRelation } from './reading.ts'
import { assetLabels, assets, domains, favoriteAssets, labels } from './tables.ts'

const membersOf = (condition: ReturnType<typeof sql>) =>
  sql`(select coalesce(json_agg(json_build_object('id', ${assets.id}, 'name', ${assets.name}) order by ${assets.name}), '[]'::json) from ${assets} where ${assets.domain_id} = ${domains.id} and ${condition})`

/** The gateways of a domain stay; its other assets become the given ones. */
async function setMembers(ctx: Context, domain: { id: string; org_id: string }, ids: readonly string[]) {
  const list = sql`${sql.param(ids)}::uuid[]`
  const found = await ctx.db.execute<{ id: string }>(
    sql`select id from ${assets} where id = any(${list}) and org_id = ${domain.org_id}`,
  )
  const known = new Set(found.rows.map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw invalid('assets', 'does_not_exist', { pk: missing })
  await ctx.db.execute(
    sql`update ${assets} set domain_id = null where ${assets.domain_id} = ${domain.id} and not ${isGateway} and ${assets.id} <> all(${list})`,
  )
  await ctx.db.execute(
    sql`update ${assets} set domain_id = ${domain.id} where ${assets.id} = any(${list}) and not ${isGateway}`,
  )
}

export const domainResource = serve(Domain, {
  table: domains,
  rows: org(domains.org_id),
  held: { statistic: 'domains_amount' },
  computed: { assets: membersOf(sql`not ${isGateway}`), gateways: membersOf(isGateway) },
  saved: async (ctx, rows) => {
    for (const { input, id, after } of rows) {
      const ids = input['assets'] as string[] | undefined
      if (ids !== undefined) await setMembers(ctx, { id, org_id: String(after['org_id']) }, ids)
    }
  },
})

const assetsOfLabel: Through = {
  link: assetLabels,
  from: assetLabels.label_id,
  to: assetLabels.asset_id,
  target: assetRelation,
}
export const labelResource = serve(Label, {
  table: labels,
  rows: org(labels.org_id),
  relations: { assets: assetsOfLabel },
  computed: {
    asset_count: sql`(select count(*)::integer from ${assetLabels} where ${assetLabels.label_id} = ${labels.id})`,
  },
})

export const favoriteResource = serve(FavoriteAsset, {
  table: favoriteAssets,
  rows: own(favoriteAssets.user_id),
  relations: { asset: assetRelation },
  prepare: async (ctx, { input }) => {
    const user_id = callerOf(ctx).id
    const asset = String(input['asset'])
    const twice = await ctx.db
      .select({ id: favoriteAssets.id })
      .from(favoriteAssets)
      .where(and(eq(favoriteAssets.user_id, user_id), eq(favoriteAssets.asset, asset)))
    if (twice.length > 0)
      throw new ValidationError({
        non_field_errors: [{ key: 'unique_set', params: { fields: 'user, asset' } }],
      })
    return input
  },
})

/** `DELETE ?asset=`: exactly one. */
export const favoriteRoutes: Route[] = [
  route({
    method: 'DELETE',
    path: '/api/v1/assets/favorite-assets/',
    access: 'valid_user',
    transaction: true,
    handler: async (ctx, { query }) => {
      const { asset = '' } = query as Record<string, string>
      const removed = await ctx.db.execute(
        sql`delete from ${favoriteAssets} where user_id = ${callerOf(ctx).id} and asset::text = ${asset.toLowerCase()}`,
      )
      if (removed.rowCount !== 1) throw new ApiError(400, 'favorite_not_found')
    },
  }),
]
