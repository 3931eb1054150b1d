/** Favourites: assets a user keeps at hand. */
import { FavoriteAsset } from '@sallyport/contract'
import { and, eq, sql } from 'drizzle-orm'
import { callerOf } from '../../kernel/context.ts'
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
    if (removed.rowCount !== 1) throw new ApiError(400, 'favorite_not_found')
  },
}

export const favoriteServed = serve(FavoriteAsset, {
  table: favoriteAssets,
  rows: own(favoriteAssets.user_id),
  relations: { asset: assetRelation },
  calls: favoriteCalls,
  prepare: async (ctx, { input }) => {
    const user_id = callerOf(ctx).id
    const asset = String(input.asset)
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
