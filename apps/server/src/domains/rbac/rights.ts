/** What people may do, everywhere at once: read in the caller's transaction, for decisions about who stands above whom. */
import { builtinRoles, type RoleScope, scopePermissions } from '@sallyport/contract'
import { eq, inArray } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import { roleBindings, roles } from './tables.ts'

/** The permissions of one role, where it is held: in an organization, or (null) in the whole system. */
export interface Right {
  roleId: string
  orgId: string | null
  permissions: ReadonlySet<string>
}

const byBuiltinId = new Map(builtinRoles.map((role) => [role.id, role.permissions]))

/** What a stored role gives in this version. */
export function permissionsOf(role: {
  id: string
  scope: string
  permissions: string[]
}): ReadonlySet<string> {
  const allowed = scopePermissions[role.scope as RoleScope]
  return byBuiltinId.get(role.id) ?? new Set(role.permissions.filter((one) => allowed.has(one)))
}

const roleColumns = { id: roles.id, scope: roles.scope, permissions: roles.permissions }

/** Everything these people hold; whoever holds nothing has no entry. */
export async function rightsOfPeople(
  executor: Executor,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Right[]>> {
  const held = new Map<string, Right[]>()
  if (userIds.length === 0) return held
  const rows = await executor
    .select({ ...roleColumns, userId: roleBindings.user_id, orgId: roleBindings.org_id })
    .from(roleBindings)
    .innerJoin(roles, eq(roles.id, roleBindings.role_id))
    .where(inArray(roleBindings.user_id, [...userIds]))
  for (const { userId, orgId, ...role } of rows) {
    const rights = held.get(userId) ?? []
    rights.push({ roleId: role.id, orgId, permissions: permissionsOf(role) })
    held.set(userId, rights)
  }
  return held
}

/** What these roles would give in an organization, or (null) in the whole system. */
export async function rightsOfRoles(
  executor: Executor,
  roleIds: readonly string[],
  orgId: string | null,
): Promise<Right[]> {
  if (roleIds.length === 0) return []
  const rows = await executor
    .select(roleColumns)
    .from(roles)
    .where(inArray(roles.id, [...roleIds]))
  return rows.map((role) => ({ roleId: role.id, orgId, permissions: permissionsOf(role) }))
}

/** Whether `mine` hold everything `theirs` hold, wherever they hold it. What is held in the whole system is held in each organization. */
export function covers(mine: readonly Right[], theirs: readonly Right[]): boolean {
  const inOrg = (orgId: string | null) =>
    mine.filter((right) => right.orgId === null || right.orgId === orgId)
  return theirs.every(({ orgId, permissions }) => {
    const here = inOrg(orgId)
    return [...permissions].every((one) => here.some((right) => right.permissions.has(one)))
  })
}
