/** Who may use which assets, with which accounts, for what, until when. */
import { sql } from 'drizzle-orm'
import type { Domain } from '../../kernel/domain.ts'
import { groupServed, userServed, type UsersServices } from '../users/index.ts'
import { assetGrants } from './calls.ts'
import { grantedAssetServed, grantServices } from './granted-lists.ts'
import { pairsServed, permissionServed } from './resources.ts'
import { assetPermissions, permissionUsers } from './tables.ts'

export { grantsEndingSoon } from './ending.ts'
export { grantedAssets, isInForce } from './granted.ts'
export { permittedAccounts, type PermittedAccount } from './permitted.ts'

export function domain(services: UsersServices): Domain {
  return {
    name: 'perms',
    // Who leaves an organization keeps nothing that was granted there by name.
    onRecord: async (ctx, events) => {
      for (const event of events) {
        if (event.type !== 'happened' || event.name !== 'users_left_org') continue
        const { user_ids, org_id } = event.data
        await ctx.db.execute(
          sql`delete from ${permissionUsers} using ${assetPermissions} where ${assetPermissions.id} = ${permissionUsers.assetpermission} and ${assetPermissions.org_id} = ${org_id} and ${permissionUsers.user} = any(${sql.param(user_ids)}::uuid[])`,
        )
      }
    },
    resources: [permissionServed, grantedAssetServed, ...pairsServed],
    services: [...grantServices, assetGrants(userServed(services), groupServed(), permissionServed)],
  }
}
