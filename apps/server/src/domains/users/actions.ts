/** What an administrator does with accounts besides editing them (users.md section 4). */
import { roleIds, User } from '@sallyport/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context } from '../../kernel/context.ts'
import { forbidden, invalid, refused, refusedAs } from '../../kernel/errors.ts'
import { Reply, route, type Route } from '../../kernel/http/route.ts'
import { narrowed, type Served } from '../../kernel/resource/binding.ts'
import { conditionsOf, type Query } from '../../kernel/resource/query.ts'
import { identifiedBy, listRows, missing, presentFor, storedRow } from '../../kernel/resource/read.ts'
import { selectedIds } from '../../kernel/resource/selection.ts'
import { displayName, roles, rolesOfScope, suggestedOrgs } from '../rbac/index.ts'
import { clearBlocks } from './blocks.ts'
import { setPassword } from './passwords.ts'
import { checkMayManageSignIns, checkMayReplaceRoles } from './policy.ts'
import { isMemberOfAny, leaveOrganization, type UsersServices } from './service.ts'
import { users } from './tables.ts'

const base = '/api/v1/users/users/'
const ids = z.array(z.guid()).max(1000)
const maxSuggestions = 10
const maxRemoved = 10_000

export function actionRoutes(served: Served, services: UsersServices): Route[] {
  const change = { access: { permission: 'users.change_user' }, transaction: true } as const
  const updating = ['PUT', 'PATCH'] as const

  /** The account an address names, locked for the change. */
  async function locked(ctx: Context, id: string) {
    const row = await storedRow(served, ctx, identifiedBy(served, id), { lock: true })
    if (row === undefined) throw missing(served)
    return row
  }
  /** The same, for changes of how its person signs in. */
  async function subject(ctx: Context, id: string) {
    const row = await locked(ctx, id)
    await checkMayManageSignIns(ctx, [String(row['id'])])
    return row
  }
  const shown = async (ctx: Context, id: string) => {
    const row = await storedRow(served, ctx, identifiedBy(served, id))
    if (row === undefined) throw missing(served)
    return presentFor(served, ctx, row, 'detail')
  }

  return [
    route({
      method: 'GET',
      path: `${base}suggestions/`,
      access: { permission: 'users.match_user' },
      handler: (ctx, call) => suggestions(served, ctx, call.query as Query),
    }),
    route({
      method: 'POST',
      path: `${base}invite/`,
      access: { permission: 'users.invite_user' },
      transaction: true,
      body: z.object({ users: ids.min(1), org_roles: ids.optional() }),
      handler: async (ctx, { body }) => new Reply(201, await invite(ctx, services, body)),
    }),
    route({
      method: 'POST',
      path: `${base}:id/remove/`,
      access: { permission: 'users.remove_user' },
      transaction: true,
      handler: async (ctx, { params }) => {
        if (ctx.org.is_root) return
        const row = await locked(ctx, params['id'] ?? '')
        await leaveOrganization(ctx, services, [String(row['id'])], ctx.org.id)
      },
    }),
    route({
      method: 'POST',
      path: `${base}remove/`,
      access: { permission: 'users.remove_user' },
      transaction: true,
      handler: async (ctx, call) => {
        if (ctx.org.is_root) return
        const query = call.query as Query
        const { where } = conditionsOf(served, ctx, query, await selectedIds(ctx, query['spm'], base))
        const rows = await ctx.db.select({ id: users.id }).from(users).where(where).limit(maxRemoved)
        await leaveOrganization(
          ctx,
          services,
          rows.map(({ id }) => id),
          ctx.org.id,
        )
      },
    }),
    route({
      ...change,
      method: updating,
      path: `${base}:id/password/`,
      body: z.object({ password: z.string().min(1).max(1024) }),
      handler: async (ctx, { params, body }) => {
        const password = services.secrets.openEnvelope(body.password)
        if (password === '' || password.length > 128) throw invalid('password', 'max_length', { max: 128 })
        const row = await subject(ctx, params['id'] ?? '')
        if (row['source'] !== 'local') throw refused('not_local_user', { source: String(row['source']) })
        const owner = { id: String(row['id']), name: String(row['name']), username: String(row['username']) }
        await setPassword(ctx, owner, password)
        return {}
      },
    }),
    route({
      ...change,
      method: updating,
      path: `${base}:id/password/reset/`,
      handler: async (ctx, { params }) => {
        await subject(ctx, params['id'] ?? '')
        // Without mail nobody would get the link, and the person would be locked out.
        throw refused('mail_unavailable')
      },
    }),
    route({
      ...change,
      method: updating,
      path: `${base}:id/pubkey/reset/`,
      handler: async (ctx, { params }) => {
        const before = await subject(ctx, params['id'] ?? '')
        const id = String(before['id'])
        await ctx.db.update(users).set({ public_key: null }).where(eq(users.id, id))
        const after = { ...before, public_key: null }
        await ctx.emit({ type: 'updated', resource: User, id, before, after, secrets: [] })
        return await shown(ctx, id)
      },
    }),
    route({
      ...change,
      method: updating,
      path: `${base}:id/unblock/`,
      handler: async (ctx, { params }) => {
        const row = await subject(ctx, params['id'] ?? '')
        await clearBlocks(ctx.db, String(row['username']))
        return await shown(ctx, String(row['id']))
      },
    }),
    route({
      ...change,
      method: 'GET',
      path: `${base}:id/mfa/reset/`,
      handler: async (ctx, { params, request }) => {
        // The wire has it that this is a GET, which a link on another site could cause, too.
        const from = request.headers['sec-fetch-site']
        if (from !== undefined && from !== 'same-origin') throw forbidden('origin_refused')
        if (params['id'] === callerOf(ctx).id) throw refusedAs('error', 400, 'own_mfa_reset')
        const row = await subject(ctx, params['id'] ?? '')
        await ctx.db
          .update(users)
          .set({ otp_secret: null })
          .where(eq(users.id, String(row['id'])))
        return { msg: 'success' }
      },
    }),
  ]
}

/** Whoever is in an organization the caller is in may be found by name to be worked with; only the first few. */
async function suggestions(served: Served, ctx: Context, query: Query) {
  const everywhere = ctx.inOrg({ ...ctx.org, is_root: true })
  const isShort = query['action'] === 'suggestion'
  const asked = {
    ...query,
    ...(isShort ? { fields_size: 'mini' } : {}),
    limit: String(maxSuggestions),
    offset: '0',
  }
  // An invitation brings in somebody from elsewhere.
  const orgs = ctx.can('users.invite_user') ? undefined : suggestedOrgs(ctx)
  const page = await listRows(orgs ? narrowed(served, isMemberOfAny(orgs)) : served, everywhere, asked, {
    selected: undefined,
    maxLimit: maxSuggestions,
    path: `${base}suggestions/`,
  })
  if (Array.isArray(page)) return page
  return query['limit'] === undefined
    ? page.results
    : { ...page, count: page.results.length, next: null, previous: null }
}

async function invite(
  ctx: Context,
  { rbac }: UsersServices,
  { users: invited, org_roles: wanted }: { users: string[]; org_roles?: string[] | undefined },
) {
  if (ctx.org.is_root) throw refusedAs('error', 400, 'not_valid_org')
  const roleIdsWanted = wanted === undefined || wanted.length === 0 ? [roleIds.orgUser] : wanted
  const known = await rolesOfScope(ctx.db, 'org', roleIdsWanted)
  const unknownRole = roleIdsWanted.find((id) => !known.has(id))
  if (unknownRole !== undefined) throw invalid('org_roles', 'does_not_exist', { pk: unknownRole })
  const found = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, invited), eq(users.is_service_account, false)))
  const people = new Set(found.map(({ id }) => id))
  const unknown = invited.find((id) => !people.has(id))
  if (unknown !== undefined) throw invalid('users', 'does_not_exist', { pk: unknown })
  await checkMayReplaceRoles(ctx, ctx.org.id, [...people], roleIdsWanted)
  for (const id of people) await rbac.assign(ctx.db, id, roleIdsWanted, ctx.org.id)
  const given = await ctx.db
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(inArray(roles.id, roleIdsWanted))
    .orderBy(roles.name)
  return {
    users: invited,
    org_roles: given.map((role) => ({ ...role, display_name: displayName(ctx, role) })),
  }
}
