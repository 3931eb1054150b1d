import {
  builtinRoles,
  type Language,
  type OfferedOrg,
  roleIds,
  rootOrgId,
  type RoleScope,
  systemOrgId,
} from '@sallyport/contract'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { createCache } from '../../kernel/cache.ts'
import { callerOf, type Context, type Organization } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { RelatedTable, Served } from '../../kernel/resource/binding.ts'
import { allJoinedName, type Orgs } from '../orgs/index.ts'
import { permissionsOf } from './rights.ts'
import { roleBindings, roles } from './tables.ts'

/** What one person may do, everywhere. */
interface Access {
  isSuperAdmin: boolean
  held: readonly { orgId: string | null; permissions: ReadonlySet<string> }[]
  /** Answers given already, by organization. */
  known: Map<string, ReadonlySet<string>>
}

export type View = 'console' | 'audit' | 'workbench'

export interface Rbac {
  isSuperAdmin(userId: string): Promise<boolean>
  /** Permissions in force in an organization: of the system roles, and of the roles there. */
  permissions(userId: string, orgId: string): Promise<ReadonlySet<string>>
  /** The organizations a person may choose in a view. */
  offered(userId: string, view: View, language: Language): Promise<OfferedOrg[]>
  /** Replaces the roles of one scope: the system's (`orgId` null), or those in an organization. */
  assign(executor: Executor, userId: string, roleIds: readonly string[], orgId: string | null): Promise<void>
  /** Call after bindings or roles were written by other means than `assign`. */
  changed(executor: Executor): Promise<void>
}

/** What this domain works with. */
export interface RbacServices {
  rbac: Rbac
  /** People, as rows that roles are given to. */
  person: RelatedTable
  /** How people are listed. */
  userRows: () => Served
  /** @throws ApiError 400 when without these people nobody was left who administrates the system. */
  keepAnAdministrator: (ctx: Context, without: readonly string[]) => Promise<void>
}

export function createRbac(ground: Pick<Ground, 'database' | 'live'>, orgs: Orgs): Rbac {
  const cache = createCache<Access>(ground, 'access', { ttlMs: 60_000, maxEntries: 20_000 })

  const accessOf = (userId: string) =>
    cache.get(userId, async (executor) => {
      const rows = await executor
        .select({
          id: roles.id,
          scope: roles.scope,
          permissions: roles.permissions,
          orgId: roleBindings.org_id,
        })
        .from(roleBindings)
        .innerJoin(roles, eq(roles.id, roleBindings.role_id))
        .where(eq(roleBindings.user_id, userId))
      return {
        isSuperAdmin: rows.some(({ id, orgId }) => id === roleIds.systemAdmin && orgId === null),
        held: rows.map(({ orgId, ...role }) => ({ orgId, permissions: permissionsOf(role) })),
        known: new Map(),
      }
    })

  function inOrganization(access: Access, orgId: string): ReadonlySet<string> {
    const known = access.known.get(orgId)
    if (known) return known
    const found = new Set<string>()
    for (const { orgId: where, permissions } of access.held)
      if (where === null || (where === orgId && orgId !== rootOrgId))
        for (const permission of permissions) found.add(permission)
    access.known.set(orgId, found)
    return found
  }

  return {
    isSuperAdmin: async (userId) => (await accessOf(userId)).isSuperAdmin,
    permissions: async (userId, orgId) => inOrganization(await accessOf(userId), orgId),

    async offered(userId, view, language) {
      const access = await accessOf(userId)
      const isWorkbench = view === 'workbench'
      const holding = access.held.filter(({ permissions }) => permissions.has(`rbac.view_${view}`))
      const joined = new Set(access.held.map(({ orgId }) => orgId))
      const everywhere = holding.some(({ orgId }) => orgId === null)
      const there = new Set(holding.map(({ orgId }) => orgId))
      const offered = (await orgs.all())
        .filter(({ id }) => id !== systemOrgId)
        .filter(({ id }) => !isWorkbench || joined.has(id))
        .filter(({ id }) => everywhere || there.has(id))
      const wide = isWorkbench ? 'orgs.view_alljoinedorg' : 'orgs.view_rootorg'
      if (offered.length === 0 || !inOrganization(access, rootOrgId).has(wide)) return offered.map(offerOf)
      const name = isWorkbench ? allJoinedName(language) : await orgs.rootName(language)
      return [{ id: rootOrgId, name, is_default: false, is_root: true }, ...offered.map(offerOf)]
    },

    async assign(executor, userId, wanted, orgId) {
      const here = and(
        eq(roleBindings.user_id, userId),
        orgId === null ? isNull(roleBindings.org_id) : eq(roleBindings.org_id, orgId),
      )
      await executor
        .delete(roleBindings)
        .where(
          and(
            here,
            wanted.length > 0 ? sql`${roleBindings.role_id} <> all(${sql.param(wanted)}::uuid[])` : undefined,
          ),
        )
      if (wanted.length > 0)
        await executor
          .insert(roleBindings)
          .values(wanted.map((role_id) => ({ user_id: userId, role_id, org_id: orgId })))
          .onConflictDoNothing()
      await cache.changed(executor)
    },

    changed: (executor) => cache.changed(executor),
  }
}

const offerOf = ({ id, name, is_default, is_root }: Organization): OfferedOrg => ({
  id,
  name,
  is_default,
  is_root,
})

/**
 * SQL: an array of the organizations whose rows may be suggested to this caller: those the caller is in. Undefined for who may look into
 * all of them.
 */
export function suggestedOrgs(ctx: Context): SQL | undefined {
  if (ctx.can('orgs.view_rootorg')) return undefined
  return sql`array(
    select ${roleBindings.org_id}
    from ${roleBindings}
    where ${roleBindings.user_id} = ${callerOf(ctx).id} and ${roleBindings.org_id} is not null)`
}

/** Which of these ids are roles of that scope. */
export async function rolesOfScope(
  executor: Executor,
  scope: RoleScope,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await executor
    .select({ id: roles.id })
    .from(roles)
    .where(and(eq(roles.scope, scope), inArray(roles.id, [...ids])))
  return new Set(rows.map(({ id }) => id))
}

/** Built-in roles with what they hold in this version. */
export async function seedRoles(executor: Executor): Promise<void> {
  for (const { id, name, scope, permissions } of builtinRoles)
    await executor
      .insert(roles)
      .values({
        id,
        name,
        scope,
        permissions: [...permissions],
        builtin: true,
        created_by: 'System',
        updated_by: 'System',
      })
      .onConflictDoUpdate({
        target: roles.id,
        set: { name, permissions: [...permissions], date_updated: new Date() },
        setWhere: sql`${roles.permissions} <> excluded.permissions or ${roles.name} <> excluded.name`,
      })
}
