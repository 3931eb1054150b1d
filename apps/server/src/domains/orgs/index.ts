import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Settings } from '../settings/index.ts'
import { type Holding, organizationServed, routesOf } from './resources.ts'
import { type Orgs, seedOrgs } from './service.ts'

export { allJoinedName, type Holding } from './resources.ts'
export { createOrgs, type Orgs } from './service.ts'

export const domain = (
  { database }: Pick<Ground, 'database'>,
  orgs: Orgs,
  settings: Settings,
  holdings: readonly Holding[],
): Domain => ({
  name: 'orgs',
  resources: [organizationServed(orgs, settings, holdings)],
  routes: routesOf(orgs),
  seed: () => seedOrgs(database.db),
})
