import { answer, type Calls, onList, onRow, service } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import { boolean, choice, computed, integer, list, plainOne, text, uuid, value } from '../resource/field.ts'
import { created, identified, resource, type RowOf, updated } from '../resource/resource.ts'
import type { TreeNode } from '../resource/tree.ts'
import type { User } from './users.ts'

export const roleScopes = choices('role_scope', ['system', 'org'])

const contentType = value<{ id: number; app_label: string; model: string }>
/** One permission; its id is the same on every server (`permissionId`). */
const permission = { id: integer(), name: text(), content_type: contentType(), codename: text() }

const fields = {
  ...identified,
  name: text({ max: 128, required: true, search: true }),
  display_name: computed(text()),
  scope: choice(roleScopes, { required: true, filter: true }),
  users_amount: computed(integer()),
  comment: text({ max: 128, default: '', multiline: true }),
  /** Sent as ids, never shown: what a role may is told by its calls. */
  permissions: list({ max: 64, maxItems: 1000 }),
  /** The role a new one begins with the permissions of. */
  clone_from: uuid({ writeOnly: true }),
  builtin: boolean({ readOnly: true, filter: true }),
  ...created,
  ...updated,
}
const common = {
  app: 'rbac',
  scope: 'system',
  // Built-in roles come first; the names of the rest decide.
  order: ['-builtin', 'name'],
  bulk: false,
  licensed: true,
  filters: { name: { kind: 'text' } },
  fromQuery: { clone_from: 'clone_from' },
  fields,
} as const

const look = { method: 'GET', access: 'rbac.view_permission' } as const
const calls = {
  /** Who holds it; for the system administrator. */
  users: onRow({
    method: 'GET',
    path: 'users',
    access: 'super_admin',
    answer: answer.rowsOf<User>('users.user'),
  }),
} as const satisfies Calls
const permissionCalls = {
  ...calls,
  permissions: onRow({ ...look, path: 'permissions', answer: answer.list(permission) }),
  /** Everything roles of its scope can hold, with a tick at what it holds. */
  permissionTree: onRow({ ...look, path: 'permissions/tree', answer: answer.json<TreeNode[]>() }),
} as const satisfies Calls

export const SystemRole = resource({
  ...common,
  model: 'systemrole',
  path: 'rbac/system-roles',
  calls: permissionCalls,
})
export type SystemRole = RowOf<typeof SystemRole>
export const OrgRole = resource({
  ...common,
  model: 'orgrole',
  path: 'rbac/org-roles',
  calls: permissionCalls,
})
export type OrgRole = RowOf<typeof OrgRole>
/** Both scopes; for the system administrator. */
export const Role = resource({ ...common, model: 'role', path: 'rbac/roles', calls })
export type Role = RowOf<typeof Role>

/** What roles can hold. */
export const Permissions = service({
  app: 'rbac',
  model: 'permission',
  path: 'rbac/permissions',
  calls: {
    list: onList({
      ...look,
      path: '',
      query: { scope: text({ max: 8 }), role: uuid(), codename: text({ max: 128 }) },
      answer: answer.list(permission),
    }),
    /** Everything roles of a scope can hold, with a tick at what a role does where one is named. */
    tree: onList({
      ...look,
      path: 'tree',
      query: { scope: text({ max: 8 }), role: uuid() },
      answer: answer.json<TreeNode[]>(),
    }),
  },
})

const binding = {
  user: plainOne('users.user', { required: true, filter: true }),
  user_display: computed(text()),
  role: plainOne('rbac.role', { required: true, filter: true }),
  role_display: computed(text()),
  scope: computed(text()),
  org_name: computed(text()),
}
const bindings = {
  app: 'rbac',
  order: ['user_display'],
  filters: {
    scope: { kind: 'text' },
    user__name: { kind: 'text' },
    user__username: { kind: 'text' },
    role__name: { kind: 'text' },
  },
} as const

/** Who holds which role of the system. */
export const SystemRoleBinding = resource({
  ...bindings,
  model: 'systemrolebinding',
  path: 'rbac/system-role-bindings',
  scope: 'system',
  fields: { ...identified, ...binding },
})
export type SystemRoleBinding = RowOf<typeof SystemRoleBinding>
/** Who holds which role in an organization. */
export const OrgRoleBinding = resource({
  ...bindings,
  model: 'orgrolebinding',
  path: 'rbac/org-role-bindings',
  scope: 'org',
  filters: { ...bindings.filters, org: { kind: 'uuid' } },
  fields: { ...identified, ...binding, org: computed(text()) },
})
export type OrgRoleBinding = RowOf<typeof OrgRoleBinding>
/**
 * Both, of the system and of the organization worked in; for the system administrator. A role of organizations is given in the one named,
 * or in the one worked in.
 */
export const RoleBinding = resource({
  ...bindings,
  model: 'rolebinding',
  path: 'rbac/role-bindings',
  scope: 'system',
  fields: { ...identified, ...binding, org: plainOne('orgs.organization', { nullable: true, filter: true }) },
})
export type RoleBinding = RowOf<typeof RoleBinding>
