/** Who may give and take roles: nobody gives or takes one with more than he holds himself, and the system never is without an administrator. */
import { roleIds } from '@sallyport/contract'
import { callerOf, type Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import { covers, type Right, rightsOfPeople, rightsOfRoles } from './rights.ts'

export const isSystemAdmin = (rights: readonly Right[] | undefined) =>
  rights?.some(({ roleId, orgId }) => roleId === roleIds.systemAdmin && orgId === null) === true

/** @throws ApiError 403 when system administrators are among those a lesser person is about to change. */
export async function protectAdministrators(ctx: Context, userIds: readonly string[]): Promise<void> {
  if (callerOf(ctx).isSuperAdmin) return
  const rights = await rightsOfPeople(ctx.db, userIds)
  if (userIds.some((id) => isSystemAdmin(rights.get(id)))) throw forbidden('system_admin_protected')
}

/** @throws ApiError 403 unless the caller holds everything in these roles, where they are held. */
export async function checkMayGive(
  ctx: Context,
  roles: readonly string[],
  orgId: string | null,
  mine?: readonly Right[],
): Promise<void> {
  const caller = callerOf(ctx)
  if (caller.isSuperAdmin || roles.length === 0) return
  if (orgId === null && roles.includes(roleIds.systemAdmin)) throw forbidden('system_admin_grant')
  const held = mine ?? (await rightsOfPeople(ctx.db, [caller.id])).get(caller.id) ?? []
  if (!covers(held, await rightsOfRoles(ctx.db, [...new Set(roles)], orgId))) throw forbidden('role_not_held')
}

/**
 * Whether these people may hold `after`, and nothing else, as their roles of one scope.
 * @param orgId where the roles are held; null for those of the whole system
 * @param userIds whose roles they become; undefined for somebody new
 * @throws ApiError 403 unless the caller holds everything in the roles that are given or taken by it
 */
export async function checkMayReplaceRoles(
  ctx: Context,
  orgId: string | null,
  userIds: readonly (string | undefined)[],
  after: readonly string[],
): Promise<void> {
  const caller = callerOf(ctx)
  if (caller.isSuperAdmin) return
  const people = userIds.filter((id) => id !== undefined)
  const rights = await rightsOfPeople(ctx.db, [caller.id, ...people])
  const changed = userIds.flatMap((id) => {
    const held = id === undefined ? [] : (rights.get(id) ?? [])
    const before = held.filter((right) => right.orgId === orgId).map(({ roleId }) => roleId)
    return [
      ...before.filter((role) => !after.includes(role)),
      ...after.filter((role) => !before.includes(role)),
    ]
  })
  await checkMayGive(ctx, changed, orgId, rights.get(caller.id) ?? [])
}
