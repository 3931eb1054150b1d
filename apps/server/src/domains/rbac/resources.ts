import {
  type ErrorKey,
  find,
  type NoCalls,
  languages,
  OrgRole,
  Permissions,
  Role,
  type RoleScope,
  roleNames,
  scopePermissions,
  SystemRole,
} from '@sallyport/contract'
import { eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { containing } from '../../kernel/database/index.ts'
import { callerOf, type Context } from '../../kernel/context.ts'
import { forbidden, invalid, notFound } from '../../kernel/errors.ts'
import type { CallsOf, Kept, SavingOf, Served } from '../../kernel/resource/binding.ts'
import { narrowed, serve } from '../../kernel/resource/binding.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { system } from '../../kernel/resource/rows.ts'
import { namesOf, permissionRows, permissionsById, permissionTree } from './permission-tree.ts'
import { permissionsOf, rightsOfPeople } from './rights.ts'
import type { RbacServices } from './service.ts'
import { roleBindings, roles } from './tables.ts'

/** What a role is called in the reader's language; roles made by people have one name. */
export const displayName = (ctx: Context, role: { name: string; builtin?: boolean }) =>
  find(roleNames, ctx.language, role.name) ?? role.name

const builtinNames = Object.keys(roleNames.en)

/** Built-in roles whose stored or translated name contains the text. */
function namesLike(value: string): string[] {
  const wanted = value.toLowerCase()
  return builtinNames.filter((name) =>
    languages.some((language) => find(roleNames, language, name)?.toLowerCase().includes(wanted)),
  )
}

const nameFilter = (value: string): SQL | undefined =>
  or(
    sql`${roles.name} ilike ${containing(value)}`,
    sql`${roles.builtin} and ${inArray(roles.name, ['', ...namesLike(value)])}`,
  )

/** A role by its id, its stored name, or what a built-in one is called in any language. */
export function roleNamed(value: string): SQL {
  const called = builtinNames.filter((name) =>
    languages.some((language) => find(roleNames, language, name) === value),
  )
  return sql`(${roles.id}::text = ${value.toLowerCase()}
    or ${roles.name} = ${value}
    or (${roles.builtin} and ${inArray(roles.name, ['', ...called])}))`
}

const countUsers = (ctx: Context, where: SQL = sql`true`) =>
  sql`(select count(distinct ${roleBindings.user_id})::int from ${roleBindings} where ${roleBindings.role_id} = ${roles.id} and ${where}${
    ctx.org.is_root
      ? sql``
      : sql` and (${roleBindings.org_id} is null or ${roleBindings.org_id} = ${ctx.org.id})`
  })`

type Saving = SavingOf<typeof Role, typeof roles>
type Fields = (typeof Role)['fields']

/** What roles of one scope, or of both, have in common. */
function common(
  { rbac }: RbacServices,
  scope: RoleScope | undefined,
): Omit<Kept<Fields, 'name', NoCalls, typeof roles>, 'may'> & {
  may: (ctx: Context, row: { builtin: boolean }, action: string) => true | ErrorKey
} {
  return {
    table: roles,
    rows: system,
    computed: { display_name: sql`${roles.name}`, users_amount: (ctx) => countUsers(ctx) },
    filters: { name: nameFilter },
    // No `writeOnly`, which would mask in the books what a role was given.
    describe: (_ctx, { actions }) => {
      for (const { permissions } of Object.values(actions)) if (permissions) permissions.write_only = true
      return Promise.resolve()
    },
    may: (_ctx, { builtin }, action) =>
      builtin && (action === 'update' || action === 'delete') ? 'role_builtin' : true,
    prepare: (ctx, saving) => prepare(ctx, scope, saving),
    saved: (ctx) => rbac.changed(ctx.db),
    removing: async (ctx, rows) => {
      const ids = rows.map(({ id }) => id)
      const [held] = await ctx.db
        .select({ id: roleBindings.id })
        .from(roleBindings)
        .where(inArray(roleBindings.role_id, ids))
        .limit(1)
      if (held) throw forbidden('role_in_use')
      await rbac.changed(ctx.db)
    },
    present: (ctx, { permissions: _held, ...row }) =>
      typeof row.display_name === 'string'
        ? { ...row, display_name: displayName(ctx, { name: row.display_name }) }
        : row,
  }
}

/** Roles are given what their scope can hold, and are given or lose what who changes them holds; a copy begins with what the other role gives. */
async function prepare(ctx: Context, scope: RoleScope | undefined, { input, before }: Saving) {
  const { clone_from: copied, ...kept } = input
  const ownScope = before?.scope ?? scope ?? input.scope
  if (input.scope !== undefined && input.scope !== ownScope) throw invalid('scope', 'role_scope_fixed')
  const wanted = await wantedOf(ctx, ownScope as RoleScope, input.permissions, copied)
  if (wanted === undefined) return kept
  const held = before?.permissions ?? []
  const added = await notHeld(
    ctx,
    wanted.filter((name) => !held.includes(name)),
  )
  if (added !== undefined) throw forbidden('permission_not_held', { name: added })
  const removed = await notHeld(
    ctx,
    held.filter((name) => !wanted.includes(name)),
  )
  if (removed !== undefined) throw invalid('permissions', 'permission_not_removed', { name: removed })
  return { ...kept, permissions: wanted.toSorted() }
}

async function wantedOf(
  ctx: Context,
  scope: RoleScope,
  sent: readonly string[] | undefined,
  copied: string | undefined,
): Promise<string[] | undefined> {
  const known = permissionsById[scope]
  if (sent !== undefined)
    return [...new Set(sent)].map((id) => {
      const name = known.get(id)
      if (name === undefined) throw invalid('permissions', 'permission_unknown', { pk: id })
      return name
    })
  if (copied === undefined) return undefined
  const [role] = await ctx.db.select().from(roles).where(eq(roles.id, copied))
  if (role === undefined || role.scope !== scope)
    throw invalid('clone_from', 'does_not_exist', { pk: copied })
  return [...permissionsOf(role)]
}

/** Names of those of the permissions that the caller does not hold in the whole system: a role can be given in every organization. */
async function notHeld(ctx: Context, changed: readonly string[]): Promise<string | undefined> {
  const caller = callerOf(ctx)
  if (caller.isSuperAdmin || changed.length === 0) return undefined
  const rights = (await rightsOfPeople(ctx.db, [caller.id])).get(caller.id) ?? []
  const mine = rights.filter(({ orgId }) => orgId === null)
  const lacking = changed.filter((name) => !mine.some(({ permissions }) => permissions.has(name)))
  return lacking.length > 0 ? namesOf(lacking.slice(0, 5), ctx.language) : undefined
}

/** What roles of a scope can hold, ticked where this one does. */
const treeOf = (
  { hasLicence, language }: Context,
  scope: RoleScope,
  role?: Parameters<typeof permissionsOf>[0] & { builtin: boolean },
) => {
  const held = role === undefined ? new Set<string>() : permissionsOf(role)
  return permissionTree({ scope, held, fixed: role?.builtin === true, hasLicence, language })
}

const calls = ({ userRows }: RbacServices) =>
  ({
    users: (_ctx, { row, sent }) =>
      Promise.resolve({
        served: narrowed(
          userRows(),
          sql`users.id in (select ${roleBindings.user_id} from ${roleBindings} where ${roleBindings.role_id} = ${row.id})`,
        ),
        query: { ...sent, fields_size: 'mini' },
      }),
    permissions: (ctx, { row }) => Promise.resolve(permissionRows(permissionsOf(row), ctx.language)),
    permissionTree: (ctx, { row }) => Promise.resolve(treeOf(ctx, row.scope, row)),
  }) satisfies CallsOf<typeof SystemRole, typeof roles>

export function rolesServed(services: RbacServices): Served[] {
  const { users, ...looking } = calls(services)
  return [
    serve(SystemRole, {
      ...common(services, 'system'),
      visible: () => eq(roles.scope, 'system'),
      calls: { users, ...looking },
    }),
    serve(OrgRole, {
      ...common(services, 'org'),
      visible: () => eq(roles.scope, 'org'),
      calls: { users, ...looking },
    }),
    serve(Role, { ...common(services, undefined), calls: { users } }),
  ]
}

/** What roles of a scope can hold, or what one of them does. */
export const permissionList: Provided = provide(Permissions, {
  list: async (ctx, { query: { scope = 'org', role, codename } }) => {
    const names =
      role === undefined ? scopePermissions[asScope(scope)] : permissionsOf(await roleOf(ctx, role))
    const wanted = [...names].filter((name) => !codename || name.split('.')[1] === codename)
    return permissionRows(wanted, ctx.language)
  },
  tree: async (ctx, { query: { scope = 'org', role } }) => {
    if (role === undefined) return treeOf(ctx, asScope(scope))
    const known = await roleOf(ctx, role)
    return treeOf(ctx, known.scope, known)
  },
})

function asScope(scope: string): RoleScope {
  if (scope === 'system' || scope === 'org') return scope
  throw invalid('scope', 'not_choice', { value: scope })
}

async function roleOf(ctx: Context, id: string) {
  const [role] = await ctx.db.select().from(roles).where(eq(roles.id, id))
  if (role === undefined) throw notFound(() => 'Role')
  return { ...role, scope: asScope(role.scope) }
}
