/** The way into a network zone: its gateways, and whom to sign in there as. */
import { choiceLabel, gatewayPlatformName, type SecretType, secretTypes } from '@sallyport/contract'
import { type GrantTold, zoneGatewaysMax } from '@sallyport/contract/gateway/grants'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { assets, domains, isGateway, platforms } from '../assets/index.ts'
import { accounts } from './tables.ts'

export type Zone = Pick<GrantTold, 'domain' | 'gateways'>

interface Found extends Record<string, unknown> {
  domain_id: string
  domain_name: string
  id: string | null
  name: string
  address: string
  protocols: { name: string; port: number }[]
  account_id: string | null
  account_name: string
  username: string
  secret_type: SecretType
  secret: string
}

/** SQL: what an active gateway is signed in to with, correlated to the table `assets`. */
export const gatewayAccount = sql`(
  select *
  from ${accounts}
  where ${accounts.asset_id} = ${assets.id}
    and ${accounts.is_active}
    and ${accounts.secret} is not null
    and ${accounts.secret_type} in ('password', 'ssh_key')
  order by ${accounts.privileged} desc, ${accounts.date_updated} desc nulls last
  limit 1)`

/** The zone an asset is reached through, if any: a gateway itself is reached straight. */
export const zoneIdOf = (asset: { domain_id: string | null }, platform: { name: string }): string | null =>
  platform.name === gatewayPlatformName ? null : asset.domain_id

/**
 * Zones with their active gateways: at first those that were reached lately, and among them none before the other. Holds secrets: for
 * components only.
 */
export async function zonesOf(ctx: Context, secrets: Secrets, ids: readonly string[]): Promise<Zone[]> {
  if (ids.length === 0) return []
  const { rows } = await ctx.db.execute<Found>(
    sql`select ${domains.id} as domain_id, ${domains.name} as domain_name, way.*
      from ${domains}
      left join lateral (
        select ${assets.id}, ${assets.name}, ${assets.address}, ${assets.protocols}, account.id as account_id,
          account.name as account_name, account.username, account.secret_type, account.secret
        from ${assets}
        left join lateral ${gatewayAccount} as account on true
        where ${assets.domain_id} = ${domains.id} and ${assets.is_active} and ${isGateway}
        order by account.id is null, case ${assets.connectivity} when 'ok' then 0 when '-' then 1 else 2 end,
          random()
        limit ${zoneGatewaysMax}) as way
        on true
      where ${domains.id} = any(${sql.param(ids)}::uuid[])`,
  )
  return [...new Set(rows.map((row) => row.domain_id))].map((id) => {
    const own = rows.filter((row) => row.domain_id === id)
    return {
      domain: { id, name: own[0]?.domain_name ?? '' },
      gateways: own.flatMap((row) => (row.id === null ? [] : [told(row, row.id, ctx, secrets)])),
    }
  })
}

/** The zone of an asset as a grant tells it; none for what is reached straight. */
export async function zoneOf(
  ctx: Context,
  secrets: Secrets,
  asset: { domain_id: string | null },
  platform: { name: string },
): Promise<Pick<GrantTold, 'domain' | 'gateway' | 'gateways'>> {
  const id = zoneIdOf(asset, platform)
  const [zone] = await zonesOf(ctx, secrets, id === null ? [] : [id])
  const { domain = null, gateways = [] } = zone ?? {}
  return { domain, gateway: gateways.find(({ account }) => account !== null) ?? null, gateways }
}

/**
 * SQL: `id` and `name` (`account@asset`) of the accounts whose secrets a gateway is told with that of an account on an asset: the one it is
 * become from, and those that open the gateways of the asset's zone. The ids are SQL.
 */
export const openedAlong = (assetId: SQL, accountId: SQL): SQL => sql`
  select from_account.id, from_account.name || '@' || target.name as name from ${accounts} as own
    join ${accounts} as from_account on from_account.id = own.su_from_id
    join ${assets} as target on target.id = own.asset_id
    join ${platforms} as platform on platform.id = target.platform_id and platform.su_enabled
    where own.id = ${accountId}
  union all
  select account.id, account.name || '@' || ${assets.name} from ${assets} join lateral ${gatewayAccount} as account on true
    where ${assets.is_active} and ${isGateway} and ${assets.domain_id} = (select target.domain_id from ${assets} as target
      join ${platforms} as platform on platform.id = target.platform_id and platform.name <> ${gatewayPlatformName}
      where target.id = ${assetId})`

function told(row: Found, id: string, ctx: Context, secrets: Secrets): Zone['gateways'][number] {
  const { name, address, protocols, account_id, account_name, username, secret_type, secret } = row
  return {
    id,
    name,
    address,
    protocols,
    account:
      account_id === null
        ? null
        : {
            id: account_id,
            name: account_name,
            username,
            secret_type: {
              value: secret_type,
              label: choiceLabel(secretTypes, secret_type, ctx.language),
            },
            secret: secrets.unseal(secret),
          },
  }
}
