/** Domains: network zones that are reached through gateways of their own. */
import { Domain } from '@sallyport/contract'
import { and, inArray, not, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import type { AccountsOfAssets } from './assets.ts'
import { isGateway } from './reading.ts'
import { assets, domains, platforms } from './tables.ts'

const membersOf = (condition: ReturnType<typeof sql>) =>
  sql`(
    select coalesce(json_agg(json_build_object('id', ${assets.id}, 'name', ${assets.name})
      order by ${assets.name}), '[]'::json)
    from ${assets}
    where ${assets.domain_id} = ${domains.id} and ${condition})`

const countOf = (condition: ReturnType<typeof sql>) =>
  sql`(select count(*)::integer from ${assets} where ${assets.domain_id} = ${domains.id} and ${condition})`

/** The gateways of a domain stay; its other assets become the given ones. */
async function setMembers(
  ctx: Context,
  accountsOf: AccountsOfAssets,
  domain: { id: string; org_id: string },
  ids: readonly string[],
) {
  const list = sql`${sql.param(ids)}::uuid[]`
  const found = await ctx.db.execute<{
    id: string
    name: string
    may_have_domain: boolean
    is_other_gateway: boolean
  }>(
    sql`select ${assets.id}, ${assets.name}, ${platforms.domain_enabled} as may_have_domain,
        (${isGateway} and ${assets.domain_id} is distinct from ${domain.id}) as is_other_gateway
      from ${assets}
      join ${platforms} on ${platforms.id} = ${assets.platform_id}
      where ${assets.id} = any(${list}) and ${assets.org_id} = ${domain.org_id}`,
  )
  const known = new Set(found.rows.map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw invalid('assets', 'does_not_exist', { pk: missing })
  const without = found.rows.find(({ may_have_domain: may }) => !may)
  if (without) throw invalid('assets', 'asset_without_domain', { asset: without.name })
  const gateway = found.rows.find(({ is_other_gateway: is }) => is)
  if (gateway) throw invalid('assets', 'asset_is_gateway', { asset: gateway.name })
  const moved = await ctx.db.execute<{ id: string }>(
    sql`select id
      from ${assets}
      where (${assets.domain_id} = ${domain.id}) is distinct from (id = any(${list}))
        and (${assets.domain_id} = ${domain.id} or id = any(${list}))
        and not ${isGateway}`,
  )
  await accountsOf.checkMayMove(
    ctx,
    moved.rows.map(({ id }) => id),
  )
  await ctx.db.execute(
    sql`update ${assets}
      set domain_id = null
      where ${assets.domain_id} = ${domain.id} and not ${isGateway} and ${assets.id} <> all(${list})`,
  )
  await ctx.db.execute(
    sql`update ${assets} set domain_id = ${domain.id} where ${assets.id} = any(${list}) and not ${isGateway}`,
  )
}

export const domainServed = (accountsOf: AccountsOfAssets): Served =>
  serve(Domain, {
    table: domains,
    rows: org(domains.org_id),
    held: { statistic: 'domains_amount' },
    computed: {
      assets: membersOf(sql`not ${isGateway}`),
      gateways: membersOf(isGateway),
      asset_count: countOf(sql`not ${isGateway}`),
      gateway_count: countOf(isGateway),
    },
    saved: async (ctx, rows) => {
      for (const { input, id, after } of rows) {
        if (input.assets !== undefined)
          await setMembers(ctx, accountsOf, { id, org_id: after.org_id }, input.assets)
      }
    },
    removing: async (ctx, rows) => {
      const held = await ctx.db
        .select({ id: assets.id })
        .from(assets)
        .where(
          and(
            inArray(
              assets.domain_id,
              rows.map(({ id }) => id),
            ),
            not(isGateway),
          ),
        )
      await accountsOf.checkMayMove(
        ctx,
        held.map(({ id }) => id),
      )
    },
  })
