import { choices } from '../resource/choices.ts'
import { boolean, choice, computed, integer, text } from '../resource/field.ts'
import { created, identified, resource, type RowOf, updated } from '../resource/resource.ts'

export const roleScopes = choices('role_scope', ['system', 'org'])

const fields = {
  ...identified,
  name: text({ max: 128, required: true, search: true }),
  display_name: computed(text()),
  scope: choice(roleScopes, { required: true, filter: true }),
  users_amount: computed(integer()),
  comment: text({ max: 128, default: '' }),
  builtin: boolean({ readOnly: true, filter: true }),
  ...created,
  ...updated,
}
const common = {
  app: 'rbac',
  scope: 'system',
  // Built-in roles come first; the names of the rest decide.
  order: ['-builtin', 'name'],
  actions: ['list', 'retrieve'],
  bulk: false,
  filters: { name: { kind: 'text' } },
  fields,
} as const

export const SystemRole = resource({ ...common, model: 'systemrole', path: 'rbac/system-roles' })
export type SystemRole = RowOf<typeof SystemRole>
export const OrgRole = resource({ ...common, model: 'orgrole', path: 'rbac/org-roles' })
export type OrgRole = RowOf<typeof OrgRole>
/** Both scopes; for the system administrator. */
export const Role = resource({ ...common, model: 'role', path: 'rbac/roles' })
export type Role = RowOf<typeof Role>
