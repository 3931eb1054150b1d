import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { served } from './resources.ts'
import { seedRoles } from './service.ts'

export { displayName, roleNamed } from './resources.ts'
export { covers, type Right, rightsOfPeople, rightsOfRoles } from './rights.ts'
export { createRbac, type Rbac, rolesOfScope, suggestedOrgs } from './service.ts'
export { roleBindings, roles } from './tables.ts'

export const domain = ({ database }: Pick<Ground, 'database'>): Domain => ({
  name: 'rbac',
  resources: served,
  seed: () => seedRoles(database.db),
})
