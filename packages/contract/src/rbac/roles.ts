/** The roles that always exist. */
import {
  componentPermissions,
  orgAuditPermissions,
  orgUserPermissions,
  type RoleScope,
  scopePermissions,
  systemAuditPermissions,
  systemUserPermissions,
} from './permissions.ts'

export interface BuiltinRole {
  id: string
  name: string
  scope: RoleScope
  permissions: ReadonlySet<string>
}

const idOf = (number: number) => `00000000-0000-0000-0000-00000000000${number}`

export const roleIds = {
  systemAdmin: idOf(1),
  systemAuditor: idOf(2),
  user: idOf(3),
  systemComponent: idOf(4),
  orgAdmin: idOf(5),
  orgAuditor: idOf(6),
  orgUser: idOf(7),
} as const

export const builtinRoles: readonly BuiltinRole[] = [
  { id: roleIds.systemAdmin, name: 'SystemAdmin', scope: 'system', permissions: scopePermissions.system },
  {
    id: roleIds.systemAuditor,
    name: 'SystemAuditor',
    scope: 'system',
    permissions: new Set([...systemUserPermissions, ...systemAuditPermissions]),
  },
  { id: roleIds.user, name: 'User', scope: 'system', permissions: new Set(systemUserPermissions) },
  {
    id: roleIds.systemComponent,
    name: 'SystemComponent',
    scope: 'system',
    permissions: new Set(componentPermissions),
  },
  { id: roleIds.orgAdmin, name: 'OrgAdmin', scope: 'org', permissions: scopePermissions.org },
  {
    id: roleIds.orgAuditor,
    name: 'OrgAuditor',
    scope: 'org',
    permissions: new Set([...orgUserPermissions, ...orgAuditPermissions]),
  },
  { id: roleIds.orgUser, name: 'OrgUser', scope: 'org', permissions: new Set(orgUserPermissions) },
]
