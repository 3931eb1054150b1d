/** Accounts on assets: how they are written, who may read what opens them. */
import { sql } from 'drizzle-orm'
import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { createRows } from '../../kernel/resource/write.ts'
import { type AccountsOfAssets, assets } from '../assets/index.ts'
import { accountServed, secretServed } from './resources.ts'
import { type CheckConfirmed, takeAllAlong, takeWithAssets } from './seen.ts'
import { accounts } from './tables.ts'
import { templateSecretServed, templateServed } from './templates.ts'

export { type AccountsByTemplate, accountsByTemplate } from './by-template.ts'
export { accountsRead } from './resources.ts'
export { accounts } from './tables.ts'
export { gatewayAccount, openedAlong, zoneIdOf, zoneOf, zonesOf } from './zone-gateways.ts'

/** What assets need of accounts; see the domain of assets. */
export function accountsOfAssets(
  { secrets }: Pick<Ground, 'secrets'>,
  checkConfirmed: CheckConfirmed,
): AccountsOfAssets {
  const served = accountServed(secrets, checkConfirmed)
  return {
    make: async (ctx, given) => {
      await createRows(
        { served, ctx, secrets },
        given.map(({ assetId, account }) => {
          const { secret, passphrase, name, secret_type, ...rest } = account
          return {
            ...rest,
            name: name || null,
            secret_type: secret_type ?? 'password',
            asset: assetId,
            ...(secret ? { secret } : {}),
            ...(passphrase ? { passphrase } : {}),
          }
        }),
      )
    },
    checkMayMove: (ctx, assetIds) => takeWithAssets(ctx, checkConfirmed, assetIds),
    checkMayMoveAll: (ctx, moved) => takeAllAlong(ctx, checkConfirmed, moved),
    listed: sql`(
      select coalesce(json_agg(json_build_object(
          'id', ${accounts.id}, 'name', ${accounts.name}, 'username', ${accounts.username},
          'privileged', ${accounts.privileged}, 'is_active', ${accounts.is_active}, 'version', ${accounts.version},
          'secret_type', ${accounts.secret_type}) order by ${accounts.name}), '[]'::json)
      from ${accounts}
      where ${accounts.asset_id} = ${assets.id})`,
    amount: sql`(select count(*) from ${accounts} where ${accounts.asset_id} = ${assets.id})`,
  }
}

export function domain(ground: Pick<Ground, 'secrets'>, checkConfirmed: CheckConfirmed): Domain {
  return {
    name: 'accounts',
    resources: [
      accountServed(ground.secrets, checkConfirmed),
      secretServed(ground.secrets),
      templateServed,
      templateSecretServed(ground.secrets),
    ],
  }
}
