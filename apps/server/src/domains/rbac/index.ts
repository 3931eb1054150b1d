import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { bindingsServed } from './bindings.ts'
import { permissionList, rolesServed } from './resources.ts'
import { type RbacServices, seedRoles } from './service.ts'

export { checkMayReplaceRoles, isSystemAdmin, protectAdministrators } from './policy.ts'
export { displayName, roleNamed } from './resources.ts'
export { covers, type Right, rightsOfPeople } from './rights.ts'
export { createRbac, type Rbac, rolesOfScope, seedRoles, suggestedOrgs } from './service.ts'
export { roleBindings, roles } from './tables.ts'

export const domain = ({ database }: Pick<Ground, 'database'>, services: RbacServices): Domain => ({
  name: 'rbac',
  resources: [...rolesServed(services), ...bindingsServed(services)],
  services: [permissionList],
  seed: () => seedRoles(database.db),
})
