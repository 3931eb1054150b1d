/** Who holds which role, one row each: of the system, and in organizations. */
import {
  errors,
  OrgRoleBinding,
  RoleBinding,
  roleIds,
  SystemRoleBinding,
  translate,
} from '@sallyport/contract'
import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalid, refused, refusedAs } from '../../kernel/errors.ts'
import { type RelatedTable, type Served, serve } from '../../kernel/resource/binding.ts'
import { org, system } from '../../kernel/resource/rows.ts'
import { organizations } from '../orgs/index.ts'
import { checkMayGive, protectAdministrators } from './policy.ts'
import { roleNamed } from './resources.ts'
import { type RbacServices, rolesOfScope } from './service.ts'
import { roleBindings, roles } from './tables.ts'

type Columns = Pick<typeof roleBindings.$inferSelect, 'user_id' | 'role_id' | 'org_id'>
type Stored = Columns & { id: string }
interface Changed {
  before: Columns | undefined
  after: Columns
}

const userOf = (attribute: SQL) =>
  sql`(select ${attribute} from users where users.id = ${roleBindings.user_id})`
const roleOf = (attribute: SQL) =>
  sql`(select ${attribute} from ${roles} where ${roles.id} = ${roleBindings.role_id})`
const userName = userOf(sql`users.name`)
/** Of the people a condition finds, by their indexes. */
const ofUsers = (condition: SQL) =>
  sql`${roleBindings.user_id} in (select users.id from users where ${condition})`
const roleName = roleOf(sql`${roles.name}`)
// Shown by its name; a role of the system is in none.
const shownOrg = sql`coalesce(${roleBindings.org_id}::text, '')`
const scopeOf = sql`case when ${roleBindings.org_id} is null then 'system' else 'org' end`
const same = (value: SQL) => (wanted: string) => sql`${value} = ${wanted}`

const shared = {
  table: roleBindings,
  computed: {
    user_display: userOf(sql`users.name || '(' || users.username || ')'`),
    role_display: roleName,
    scope: scopeOf,
  },
  filters: {
    scope: same(scopeOf),
    user__name: (value: string) => ofUsers(sql`users.name = ${value}`),
    user__username: (value: string) => ofUsers(sql`users.username = ${value}`),
    role__name: (value: string) =>
      sql`exists (select 1 from ${roles} where ${roles.id} = ${roleBindings.role_id} and ${roleNamed(value)})`,
  },
  orders: { user_display: userName },
  searches: [
    (pattern: string) => ofUsers(sql`users.name ilike ${pattern} or users.username ilike ${pattern}`),
    (pattern: string) =>
      sql`${roleBindings.role_id} in (select ${roles.id} from ${roles} where ${roles.name} ilike ${pattern})`,
  ],
} as const
const ofOrg = { org: (id: string) => sql`${roleBindings.org_id} = ${id}` }
const orgColumns = { org: sql`${roleBindings.org_id}` }

/** The role of the platform's own components is not given to people. */
const isGiven = sql`${roles.id} <> ${roleIds.systemComponent}`
const roleIn = (scope: 'system' | 'org'): RelatedTable => ({
  table: roles,
  rows: system,
  visible: () => and(eq(roles.scope, scope), isGiven),
})

export function bindingsServed(services: RbacServices): Served[] {
  const person = services.person
  const { rbac } = services
  const hooks = {
    saved: async (ctx: Context, rows: readonly Changed[]) => {
      await keepHolders(ctx, services, rows)
      await rbac.changed(ctx.db)
    },
    removing: (ctx: Context, rows: readonly Stored[]) => removing(ctx, services, rows),
  }
  return [
    serve(SystemRoleBinding, {
      ...shared,
      ...hooks,
      rows: system,
      computed: { ...shared.computed, org_name: sql`''` },
      visible: () => isNull(roleBindings.org_id),
      relations: { user: person, role: roleIn('system') },
      prepare: async (ctx, { input, before }) => {
        await checkBinding(ctx, null, { user_id: input.user, role_id: input.role }, before)
        return input
      },
    }),
    serve(OrgRoleBinding, {
      ...shared,
      ...hooks,
      // They go with their organization and do not stand in its way: its members do.
      rows: org(roleBindings.org_id, { outlives: true }),
      computed: { ...shared.computed, ...orgColumns },
      filters: { ...shared.filters, ...ofOrg },
      visible: () => isNotNull(roleBindings.org_id),
      standing: (ctx, sent) => standing(ctx, sent),
      relations: { user: person, role: roleIn('org') },
      prepare: async (ctx, { input, before }) => {
        const orgId = before?.org_id ?? ctx.org.id
        await checkBinding(ctx, orgId, { user_id: input.user, role_id: input.role }, before)
        return input
      },
    }),
    serve(RoleBinding, {
      ...shared,
      ...hooks,
      rows: system,
      computed: { ...shared.computed, org_name: shownOrg },
      visible: (ctx) =>
        ctx.org.is_root
          ? undefined
          : sql`(${roleBindings.org_id} is null or ${roleBindings.org_id} = ${ctx.org.id})`,
      relations: {
        user: person,
        role: { table: roles, rows: system, visible: () => isGiven },
        org: { table: organizations, rows: system },
      },
      prepare: async (ctx, { input, before }) => {
        const orgId = await placeOf(ctx, input.role ?? before?.role_id, before ? before.org_id : input.org)
        // It stays where it was made.
        if (before && before.org_id !== orgId)
          throw invalid('role', 'does_not_exist', { pk: input.role ?? '' })
        await checkBinding(ctx, orgId, { user_id: input.user, role_id: input.role }, before)
        return { ...input, org: orgId }
      },
    }),
  ]
}

/** Who is given a role with others, and holds it here already, keeps it. */
async function standing(ctx: Context, sent: readonly unknown[]): Promise<(string | undefined)[]> {
  const pairs = sent.map((row) => pairOf.safeParse(row).data)
  const people = pairs.flatMap((pair) => (pair === undefined ? [] : [pair.user]))
  if (people.length === 0) return []
  const held = await ctx.db
    .select({ id: roleBindings.id, user: roleBindings.user_id, role: roleBindings.role_id })
    .from(roleBindings)
    .where(and(inArray(roleBindings.user_id, people), inScope(ctx.org.id)))
  const ids = new Map(held.map(({ id, user, role }) => [`${user} ${role}`, id]))
  return pairs.map((pair) => pair && ids.get(`${pair.user} ${pair.role}`))
}
const uuid = z.guid().toLowerCase()
const pairOf = z.object({ user: uuid, role: uuid })

/** Where a role is held: one of the system nowhere else, one of organizations in one of them. */
async function placeOf(
  ctx: Context,
  roleId: string | undefined,
  named: string | null | undefined,
): Promise<string | null> {
  if (roleId === undefined) throw invalid('role', 'required')
  const ofOrg = await rolesOfScope(ctx.db, 'org', [roleId])
  if (ofOrg.size === 0) return null
  if (named === null || named === undefined) {
    if (ctx.org.is_root) throw invalid('org', 'required')
    return ctx.org.id
  }
  return named
}

/** @throws ApiError unless the caller may give this role, and take the one it takes the place of; a person holds a role once. */
async function checkBinding(
  ctx: Context,
  orgId: string | null,
  sent: Partial<Pick<Columns, 'user_id' | 'role_id'>>,
  before: Columns | undefined,
): Promise<void> {
  const { user_id: userId = before?.user_id, role_id: roleId = before?.role_id } = sent
  if (userId === undefined || roleId === undefined) return
  await protectAdministrators(ctx, [userId, ...(before ? [before.user_id] : [])])
  await checkMayGive(ctx, [roleId, ...(before ? [before.role_id] : [])], orgId)
  if (before?.user_id === userId && before.role_id === roleId) return
  const [held] = await ctx.db
    .select({ id: roleBindings.id })
    .from(roleBindings)
    .where(and(eq(roleBindings.user_id, userId), eq(roleBindings.role_id, roleId), inScope(orgId)))
  if (held === undefined) return
  if (orgId !== null) throw invalid('role', 'role_already_bound')
  // The wire tells it of no field.
  throw new ApiError(400, 'system_role_bound', {
    body: (language) => [translate(errors, language, 'system_role_bound')],
  })
}

const inScope = (orgId: string | null) =>
  orgId === null ? isNull(roleBindings.org_id) : eq(roleBindings.org_id, orgId)

const lastRole = (orgId: string | null) =>
  orgId === null ? refused('system_role_delete_error') : refusedAs('error', 400, 'last_org_role')

/** Whoever held a role before it became somebody else's is not left without any, as when it is taken. */
async function keepHolders(
  ctx: Context,
  { keepAnAdministrator }: RbacServices,
  rows: readonly Changed[],
): Promise<void> {
  for (const { before, after } of rows) {
    if (before === undefined) continue
    const isMoved = before.user_id !== after.user_id
    if (isMoved) {
      const [left] = await ctx.db
        .select({ id: roleBindings.id })
        .from(roleBindings)
        .where(and(eq(roleBindings.user_id, before.user_id), inScope(before.org_id)))
        .limit(1)
        .for('update')
      if (left === undefined) throw lastRole(before.org_id)
    }
    const wasAdministrator = before.org_id === null && before.role_id === roleIds.systemAdmin
    if (wasAdministrator && (isMoved || after.role_id !== before.role_id)) await keepAnAdministrator(ctx, [])
  }
}

/** Nobody is left without a role of the system, nor in an organization without one there: to leave it is another call. */
async function removing(
  ctx: Context,
  { rbac, keepAnAdministrator }: RbacServices,
  rows: readonly Stored[],
): Promise<void> {
  await protectAdministrators(
    ctx,
    rows.map((row) => row.user_id),
  )
  const ids = new Set(rows.map(({ id }) => id))
  for (const orgId of new Set(rows.map((row) => row.org_id))) {
    const here = rows.filter((row) => row.org_id === orgId)
    await checkMayGive(
      ctx,
      here.map((row) => row.role_id),
      orgId,
    )
    const people = [...new Set(here.map((row) => row.user_id))]
    const held = await ctx.db
      .select({ id: roleBindings.id, userId: roleBindings.user_id })
      .from(roleBindings)
      .where(and(inArray(roleBindings.user_id, people), inScope(orgId)))
      .for('update')
    const left = new Set(held.filter(({ id }) => !ids.has(id)).map(({ userId }) => userId))
    if (people.some((id) => !left.has(id))) throw lastRole(orgId)
  }
  const administrators = rows.filter((row) => row.org_id === null && row.role_id === roleIds.systemAdmin)
  if (administrators.length > 0)
    await keepAnAdministrator(
      ctx,
      administrators.map((row) => row.user_id),
    )
  await rbac.changed(ctx.db)
}
