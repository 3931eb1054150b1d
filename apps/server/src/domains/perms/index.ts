/** Who may use which assets, with which accounts, for what, until when. */
import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { accountsByTemplate } from '../accounts/index.ts'
import { groupServed, userServed, type UsersServices } from '../users/index.ts'
import { assetGrants } from './calls.ts'
import { grantedAssetServed, grantServices } from './granted-lists.ts'
import { pairsServed, permissionServed } from './resources.ts'

export { grantsEndingSoon, organizationsOfEnding } from './ending.ts'
export { grantedAssets, isInForce } from './granted.ts'
export { permittedAccounts, type PermittedAccount } from './permitted.ts'

export function domain(services: UsersServices & Pick<Ground, 'secrets'>): Domain {
  const { checkConfirmed } = services
  const served = permissionServed(accountsByTemplate(services, (ctx) => checkConfirmed(ctx, 'mfa')))
  return {
    name: 'perms',
    resources: [served, grantedAssetServed, ...pairsServed],
    services: [...grantServices, assetGrants(userServed(services), groupServed(), served)],
  }
}
