import type { Domain } from '../../kernel/domain.ts'
import { profileServed } from './profile.ts'
import { groupRelationServed, groupServed, userServed } from './resources.ts'
import type { UsersServices } from './service.ts'

export { computed as accountSql } from './account.ts'
export { administratorsOf, keepAnAdministrator } from './administrators.ts'
export {
  askedBefore,
  blockOf,
  countAsked,
  failedLately,
  forgetExpired,
  noteFailure,
  tryOnce,
  type Verdict,
} from './blocks.ts'
export type { MfaChanged } from './events.ts'
export {
  type FoundPerson,
  type FoundProblem,
  groupPrefix,
  type StoreFound,
  storeFound,
} from './from-directory.ts'
export { tryOwnPassword } from './own-password.ts'
export {
  dropPasswordLinks,
  holderOfLink,
  linkHours,
  makePasswordLink,
  pageOf,
  useLink,
} from './password-links.ts'
export { hashChosen, isPassword, isStored, storePassword } from './passwords.ts'
export { checkMayManageSignIns } from './policy.ts'
export { isSameKey } from './public-keys.ts'
export { profileOf } from './profile.ts'
export { groupServed, person, userServed } from './resources.ts'
export { seedAdministrator } from './seed.ts'
export {
  createServiceAccount,
  holdPerson,
  isPerson,
  isValid,
  members,
  people,
  type ServiceAccount,
  type UsersServices,
  visiblePeople,
} from './service.ts'
export { userGroupMembers, userGroups, users } from './tables.ts'

export function domain(services: UsersServices): Domain {
  return {
    name: 'users',
    resources: [userServed(services), groupServed(), groupRelationServed()],
    singletons: [profileServed(services)],
  }
}
