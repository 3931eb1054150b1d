/** Who may use which assets, with which accounts, for what, until when. */
import type { Domain } from '../../kernel/domain.ts'
import { groupServed, userServed, type UsersServices } from '../users/index.ts'
import { assetGrants } from './calls.ts'
import { grantedAssetServed, grantServices } from './granted-lists.ts'
import { pairsServed, permissionServed } from './resources.ts'

export { grantsEndingSoon, organizationsOfEnding } from './ending.ts'
export { grantedAssets, isInForce } from './granted.ts'
export { permittedAccounts, type PermittedAccount } from './permitted.ts'

export function domain(services: UsersServices): Domain {
  return {
    name: 'perms',
    resources: [permissionServed, grantedAssetServed, ...pairsServed],
    services: [...grantServices, assetGrants(userServed(services), groupServed(), permissionServed)],
  }
}
