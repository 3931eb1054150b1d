import { computed, integer, many, text } from '../resource/field.ts'
import { commented, created, identified, organized, resource, type RowOf } from '../resource/resource.ts'

export const UserGroup = resource({
  app: 'users',
  model: 'usergroup',
  path: 'users/groups',
  scope: 'org',
  order: ['name'],
  mini: ['id', 'name'],
  small: ['id', 'name', 'comment', 'date_created', 'created_by'],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true, order: true }),
    ...commented,
    users: many('users.user', ['id', 'name']),
    users_amount: computed(integer()),
    ...organized,
    ...created,
  },
})
export type UserGroup = RowOf<typeof UserGroup>
