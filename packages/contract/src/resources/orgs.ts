import { answer, onList } from '../resource/calls.ts'
import { boolean, computed, integer, object, text } from '../resource/field.ts'
import { created, identified, resource, type RowOf } from '../resource/resource.ts'

/** How much an organization holds. */
const statistics = {
  users_amount: integer(),
  groups_amount: integer(),
  assets_amount: integer(),
  nodes_amount: integer(),
  domains_amount: integer(),
  asset_perms_amount: integer(),
}

export const Organization = resource({
  app: 'orgs',
  model: 'organization',
  path: 'orgs/orgs',
  scope: 'system',
  licensed: true,
  order: ['name'],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    resource_statistics: computed(object(statistics)),
    comment: text({ default: '', search: true }),
    is_default: computed(boolean()),
    is_root: computed(boolean()),
    ...created,
  },
  calls: {
    /** The one worked in, for those who belong to it. */
    current: onList({
      method: 'GET',
      path: 'current',
      access: 'valid_user',
      answer: answer.object({
        id: text(),
        name: text(),
        comment: text(),
        is_default: boolean(),
        is_root: boolean(),
      }),
    }),
    /** Organizations are deleted one by one or not at all. */
    deleteListed: onList({
      method: 'DELETE',
      path: '',
      access: 'orgs.delete_organization',
      records: { unrecorded: 'It is always refused.' },
    }),
  },
})
export type Organization = RowOf<typeof Organization>
