import { choices } from '../resource/choices.ts'
import { choice, computed, integer, list, many, object, objects, one, text } from '../resource/field.ts'
import {
  active,
  commented,
  created,
  identified,
  resource,
  type RowOf,
  updated,
} from '../resource/resource.ts'

/** What a rule does with a sign-in it is about: `notice` lets in and tells the reviewers. */
export const loginAclActions = choices('login_acl_action', ['reject', 'accept', 'review', 'notice'])

/** Priorities of rules, 1 to 100: the higher one matches first. */
const priority = integer({ min: 1, max: 100, default: 50, help: 'acl_priority' })

/** From which addresses and when somebody may sign in: the first active rule that matches decides; without one they may. */
export const LoginAcl = resource({
  app: 'acls',
  model: 'loginacl',
  path: 'acls/login-acls',
  scope: 'system',
  order: ['-priority', 'date_updated', 'name'],
  filters: { user_display: { kind: 'text' } },
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    priority,
    user: one('users.user', ['id', 'name'], { required: true, filter: true }),
    rules: object(
      {
        /** `*`, addresses, networks (`10.0.0.0/8`), ranges (`10.0.0.1-10.0.0.9`). */
        ip_group: list({ max: 1024, default: ['*'] }),
        /** Of each day of the week, 0 being Sunday: `08:00~12:00、13:00~18:00`; `00:00~00:00` is all of it. A day without a value is none. */
        time_period: objects(
          { id: integer({ min: 0, max: 6, required: true }), value: text({ max: 1024, default: '' }) },
          { default: [] },
        ),
      },
      { default: {} },
    ),
    action: choice(loginAclActions, { required: true, filter: true }),
    reviewers: many('users.user', ['id', 'name']),
    reviewers_amount: computed(integer()),
    ...active,
    ...commented,
    ...created,
    ...updated,
  },
})
export type LoginAcl = RowOf<typeof LoginAcl>
