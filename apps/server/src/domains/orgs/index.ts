import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import { type MemberIds, organizationServed } from './resources.ts'
import { type Orgs, seedOrgs } from './service.ts'

export { allJoinedName } from './resources.ts'
export { createOrgs, type Orgs } from './service.ts'

export const domain = (
  { database }: Pick<Ground, 'database'>,
  orgs: Orgs,
  /** Bindings of the other domains: what organizations may hold. */
  others: readonly Served[],
  memberIds: MemberIds,
): Domain => ({
  name: 'orgs',
  resources: [organizationServed(orgs, others, memberIds)],
  seed: () => seedOrgs(database.db),
})
