import { boolean, computed, text, value } from '../resource/field.ts'
import { created, identified, resource, type RowOf } from '../resource/resource.ts'

/** How much an organization holds. */
export interface OrgStatistics {
  users_amount: number
  groups_amount: number
  assets_amount: number
  nodes_amount: number
  domains_amount: number
  asset_perms_amount: number
}

export const Organization = resource({
  app: 'orgs',
  model: 'organization',
  path: 'orgs/orgs',
  scope: 'system',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true, order: true }),
    resource_statistics: value<OrgStatistics>(),
    comment: text({ default: '', search: true, order: true }),
    is_default: computed(boolean()),
    is_root: computed(boolean()),
    ...created,
  },
})
export type Organization = RowOf<typeof Organization>
