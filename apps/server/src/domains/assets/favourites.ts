/** Favourites: assets a user keeps at hand. */
import { FavoriteAsset } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { ApiError, ValidationError } from '../../kernel/errors.ts'
import { type CallsOf, serve } from '../../kernel/resource/binding.ts'
import { own } from '../../kernel/resource/rows.ts'
import { assetRelation } from './reading.ts'
import { favoriteAssets } from './tables.ts'

const favoriteCalls: CallsOf<typeof FavoriteAsset, typeof favoriteAssets> = {
  remove: async (ctx, { query }) => {
    const removed = await ctx.db.execute(
      sql`delete from ${favoriteAssets} where user_id = ${callerOf(ctx).id} and asset = ${query.asset ?? null}`,
    )
    if (removed.rowCount !== 1) throw new ApiError(400, 'favorite_not_found', { body: () => undefined })
  },
}

/** The assets the caller keeps. */
async function keptBy(ctx: Context): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ asset: favoriteAssets.asset })
    .from(favoriteAssets)
    .where(eq(favoriteAssets.user_id, callerOf(ctx).id))
  return new Set(rows.map(({ asset }) => asset))
}

export const favoriteServed = serve(FavoriteAsset, {
  table: favoriteAssets,
  rows: own(favoriteAssets.user_id),
  relations: { asset: assetRelation },
  calls: favoriteCalls,
  prepare: async (ctx, { input, batch }) => {
    const kept = await batch.once('kept', () => keptBy(ctx))
    const asset = String(input.asset)
    if (kept.has(asset))
      throw new ValidationError({
        non_field_errors: [{ key: 'unique_set', params: { fields: 'user, asset' } }],
      })
    kept.add(asset)
    return input
  },
})
