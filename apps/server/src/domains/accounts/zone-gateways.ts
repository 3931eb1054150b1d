/** The way into a network zone: its gateways, and whom to sign in there as. */
import { choiceLabel, gatewayPlatformName, type SecretType, secretTypes } from '@sallyport/contract'
import { type GrantTold, zoneGatewaysMax } from '@sallyport/contract/gateway/grants'
import { sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { assets, domains, isGateway } from '../assets/index.ts'
import { accounts } from './tables.ts'

export type Zone = Pick<GrantTold, 'domain' | 'gateway' | 'gateways'>

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

const straight: Zone = { domain: null, gateway: null, gateways: [] }

/** What an active gateway is signed in to with (assets.md 11). */
const chosenAccount = sql`(select * from ${accounts} where ${accounts.asset_id} = ${assets.id} and ${accounts.is_active} and ${accounts.secret} is not null and ${accounts.secret_type} in ('password', 'ssh_key') order by ${accounts.privileged} desc, ${accounts.date_updated} desc nulls last limit 1)`

/**
 * The zone of an asset, with its active gateways: at first those that were reached lately, and among them none before the other. A gateway
 * itself is reached straight. Holds secrets: for components only.
 */
export async function zoneOf(
  ctx: Context,
  secrets: Secrets,
  asset: { domain_id: string | null },
  platform: { name: string },
): Promise<Zone> {
  if (asset.domain_id === null || platform.name === gatewayPlatformName) return straight
  const { rows } = await ctx.db.execute<Found>(
    sql`select ${domains.id} as domain_id, ${domains.name} as domain_name, way.* from ${domains} left join lateral (select ${assets.id}, ${assets.name}, ${assets.address}, ${assets.protocols}, account.id as account_id, account.name as account_name, account.username, account.secret_type, account.secret from ${assets} left join lateral ${chosenAccount} as account on true where ${assets.domain_id} = ${domains.id} and ${assets.is_active} and ${isGateway} order by account.id is null, case ${assets.connectivity} when 'ok' then 0 when '-' then 1 else 2 end, random() limit ${zoneGatewaysMax}) as way on true where ${domains.id} = ${asset.domain_id}`,
  )
  const [first] = rows
  if (first === undefined) return straight
  const gateways = rows.flatMap((row) => (row.id === null ? [] : [told(row, row.id, ctx, secrets)]))
  return {
    domain: { id: first.domain_id, name: first.domain_name },
    gateway: gateways.find(({ account }) => account !== null) ?? null,
    gateways,
  }
}

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
