/** What a direct login names (`person@account@address`), found in one call: nobody waits for three before they are connected. */
import type { DirectTargetsTold } from '@sallyport/contract/gateway/grants'
import { and, asc, desc, eq, or, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { assets, platforms } from '../assets/index.ts'
import { isGranted } from './granted.ts'
import { permittedRows } from './permitted.ts'

const assetsMax = 100

/** The person's assets of that address, else of that name, that speak the protocol; where it is one, the accounts on it. */
export async function directTargets(
  ctx: Context,
  userId: string,
  { address, protocol }: { address?: string | undefined; protocol?: string | undefined },
): Promise<DirectTargetsTold> {
  if (!address || !protocol) throw invalid(address ? 'protocol' : 'address', 'required')
  const isThere = eq(assets.address, address)
  const found = await ctx.db
    .select({
      id: assets.id,
      name: assets.name,
      address: assets.address,
      is_active: assets.is_active,
      comment: assets.comment,
      org_id: assets.org_id,
      platform: { id: platforms.id, name: platforms.name },
      protocols: assets.protocols,
    })
    .from(assets)
    .innerJoin(platforms, eq(platforms.id, assets.platform_id))
    .where(
      and(
        or(isThere, eq(assets.name, address)),
        eq(assets.is_active, true),
        sql`${assets.protocols} @> ${JSON.stringify([{ name: protocol }])}::jsonb`,
        isGranted({ userId }),
        ctx.org.is_root ? undefined : eq(assets.org_id, ctx.org.id),
      ),
    )
    .orderBy(desc(isThere), asc(assets.name), asc(assets.address), asc(assets.id))
    .limit(assetsMax)
  const byAddress = found.filter((asset) => asset.address === address)
  const named = byAddress.length > 0 ? byAddress : found
  const [only] = named
  return {
    assets: named.map(({ org_id, ...asset }) => ({ ...asset, org_name: ctx.orgName(org_id) })),
    accounts: only && named.length === 1 ? await permittedRows(ctx, userId, only.id, only.org_id) : [],
  }
}
