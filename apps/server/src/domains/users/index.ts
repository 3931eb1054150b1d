import type { Domain } from '../../kernel/domain.ts'
import type { Holding } from '../orgs/index.ts'
import { sql } from 'drizzle-orm'
import { actionRoutes } from './actions.ts'
import { profileRoutes, profileServed } from './profile.ts'
import { groupRelationServed, groupServed, userServed } from './resources.ts'
import { isMemberOf, type UsersServices } from './service.ts'
import { userGroups, users } from './tables.ts'

export { blockOf, clearBlocks, countFailure, forgetExpired } from './blocks.ts'
export { choosePassword, isPassword } from './passwords.ts'
export { isSameKey } from './public-keys.ts'
export { profileOf } from './profile.ts'
export { groupServed, person, userServed } from './resources.ts'
export { seedAdministrator } from './seed.ts'
export {
  createServiceAccount,
  isValid,
  members,
  type ServiceAccount,
  type UsersServices,
  visiblePeople,
} from './service.ts'
export { userGroupMembers, userGroups, users } from './tables.ts'

/** What organizations hold of this domain. */
export const holdings: readonly Holding[] = [
  {
    model: 'users.user',
    statistic: 'users_amount',
    count: (orgId) =>
      sql`select count(*)::int from ${users} where not ${users.is_service_account} and ${isMemberOf(orgId)}`,
  },
  {
    model: 'users.usergroup',
    statistic: 'groups_amount',
    count: (orgId) => sql`select count(*)::int from ${userGroups} where ${userGroups.org_id} = ${orgId}`,
  },
]

export function domain(services: UsersServices): Domain {
  const accounts = userServed(services)
  return {
    name: 'users',
    resources: [accounts, groupServed(), groupRelationServed(), profileServed],
    routes: [...actionRoutes(accounts, services), ...profileRoutes(services)],
  }
}
