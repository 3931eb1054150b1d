import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import { forgetMembers } from '../../kernel/resource/leavers.ts'
import { type MemberIds, organizationServed } from './resources.ts'
import { type Orgs, seedOrgs } from './service.ts'

export { allJoinedName } from './resources.ts'
export { createOrgs, type Orgs } from './service.ts'
export { organizations } from './tables.ts'

export const domain = (
  { database }: Pick<Ground, 'database'>,
  orgs: Orgs,
  /** Bindings of the other domains: what organizations may hold. */
  others: readonly Served[],
  memberIds: MemberIds,
): Domain => ({
  name: 'orgs',
  resources: [organizationServed(orgs, others, memberIds)],
  onRecord: async (ctx, events) => {
    for (const event of events)
      if (event.type === 'happened' && event.name === 'users_left_org')
        await forgetMembers(ctx, others, event.data.user_ids, event.data.org_id)
  },
  seed: () => seedOrgs(database.db),
})
