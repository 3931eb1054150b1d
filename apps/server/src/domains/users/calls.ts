/** What an administrator does with accounts besides editing them. */
import { roleIds, type User } from '@sallyport/contract'
import { and, eq, inArray } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import { invalid, refused, refusedAs } from '../../kernel/errors.ts'
import { type CallsOf, narrowed } from '../../kernel/resource/binding.ts'
import type { Called } from '../../kernel/resource/calls.ts'
import { namedRows } from '../../kernel/resource/bulk.ts'
import { selectedIds } from '../../kernel/resource/selection.ts'
import { checkMayReplaceRoles, displayName, roles, rolesOfScope, suggestedOrgs } from '../rbac/index.ts'
import { clearBlocks } from './blocks.ts'
import { linkHours, makePasswordLink, pageOf } from './password-links.ts'
import { hashPassword, storePassword } from './passwords.ts'
import { checkMayManageSignIns } from './policy.ts'
import { isMemberOfAny, leaveOrganization, type UsersServices } from './service.ts'
import { users } from './tables.ts'

const listPath = '/api/v1/users/users/'
const maxSuggestions = 10

type Calls = (typeof User)['calls']

export const userCalls = (services: UsersServices): CallsOf<typeof User, typeof users> => ({
  suggestions: (ctx, { served }) => {
    // An invitation brings in somebody from elsewhere.
    const orgs = ctx.can('users.invite_user') ? undefined : suggestedOrgs(ctx)
    return Promise.resolve({
      served: orgs ? narrowed(served, isMemberOfAny(orgs)) : served,
      ctx: ctx.inOrg({ ...ctx.org, is_root: true }),
      atMost: maxSuggestions,
    })
  },

  invite: (ctx, called) => invite(ctx, services, called),

  remove: async (ctx, { row, about }) => {
    if (ctx.org.is_root) return about([])
    await leaveOrganization(ctx, services, [row.id], ctx.org.id)
  },

  removeListed: async (ctx, { served, sent, about }) => {
    if (ctx.org.is_root) return
    const rows = await namedRows(served, ctx, sent, await selectedIds(ctx, sent['spm'], listPath))
    about(rows)
    await leaveOrganization(
      ctx,
      services,
      rows.map((row) => String(row['id'])),
      ctx.org.id,
    )
  },

  setPassword: {
    ahead: async (_ctx, { body }) => {
      const hash = await hashPassword(body.password)
      return async (ctx, { row }) => {
        await checkMayManageSignIns(ctx, [row.id])
        // Who found a signed-in browser must not stay by way of one's own row in the list.
        if (row.id === callerOf(ctx).id) await services.checkConfirmed(ctx, 'password')
        if (row.source !== 'local') throw refused('not_local_user', { source: row.source })
        const owner = { id: row.id, name: row.name, username: row.username }
        await storePassword(ctx, owner, hash)
        return {}
      }
    },
  },

  sendPasswordReset: async (ctx, { row }) => {
    await checkMayManageSignIns(ctx, [row.id])
    if (row.source !== 'local') throw refused('not_local_user', { source: row.source })
    if (row.id === callerOf(ctx).id) await services.checkConfirmed(ctx, 'password')
    await ctx.db.update(users).set({ password_hash: null }).where(eq(users.id, row.id))
    const data = {
      user_id: row.id,
      user: displayOf(row),
      change_by: displayOf(callerOf(ctx)),
      remote_addr: ctx.remoteAddr,
      removed: true,
    } as const
    await ctx.emit({ type: 'happened', name: 'password_changed', data })
    await services.notifications.send(ctx, 'ResetPasswordMsg', [row.id], {
      link: await makePasswordLink(ctx, row.id),
      hours: linkHours,
    })
  },

  resetPublicKey: async (ctx, { row }) => {
    await checkMayManageSignIns(ctx, [row.id])
    await ctx.db.update(users).set({ public_key: null }).where(eq(users.id, row.id))
    const link = pageOf(ctx, '/ui/#/profile/setting/?activeTab=SSHUpdate')
    await services.notifications.send(ctx, 'ResetSSHKeyMsg', [row.id], { link })
  },

  unblock: async (ctx, { row }) => {
    // A block counts wrong confirmations too: who sits at somebody's browser must not lift it in between.
    if (row.id === callerOf(ctx).id) throw refusedAs('error', 400, 'own_unblock')
    await checkMayManageSignIns(ctx, [row.id])
    await clearBlocks(ctx.db, row.username)
  },

  resetMfa: async (ctx, { row }) => {
    if (row.id === callerOf(ctx).id) throw refusedAs('error', 400, 'own_mfa_reset')
    await checkMayManageSignIns(ctx, [row.id])
    await ctx.db.update(users).set({ otp_secret: null, otp_last_step: null }).where(eq(users.id, row.id))
    const caller = callerOf(ctx)
    const data = { user_id: row.id, user: displayOf(row), by: displayOf(caller), change: 'reset' } as const
    await ctx.emit({ type: 'happened', name: 'mfa_changed', data })
    const link = pageOf(ctx, '/ui/#/profile/info')
    await services.notifications.send(ctx, 'ResetMFAMsg', [row.id], { link })
    return { msg: 'success' }
  },
})

async function invite(ctx: Context, { rbac }: UsersServices, { body, about }: Called<Calls['invite']>) {
  if (ctx.org.is_root) throw refusedAs('error', 400, 'not_valid_org')
  const wanted =
    body.org_roles === undefined || body.org_roles.length === 0 ? [roleIds.orgUser] : body.org_roles
  const known = await rolesOfScope(ctx.db, 'org', wanted)
  const unknownRole = wanted.find((id) => !known.has(id))
  if (unknownRole !== undefined) throw invalid('org_roles', 'does_not_exist', { pk: unknownRole })
  const invited = await ctx.db
    .select()
    .from(users)
    .where(and(inArray(users.id, body.users), eq(users.is_service_account, false)))
  const people = new Set(invited.map(({ id }) => id))
  const unknown = body.users.find((id) => !people.has(id))
  if (unknown !== undefined) throw invalid('users', 'does_not_exist', { pk: unknown })
  await checkMayReplaceRoles(ctx, ctx.org.id, [...people], wanted)
  about(invited)
  for (const id of people) await rbac.assign(ctx.db, id, wanted, ctx.org.id)
  const given = await ctx.db
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(inArray(roles.id, wanted))
    .orderBy(roles.name)
  return {
    users: body.users,
    org_roles: given.map((role) => ({ ...role, display_name: displayName(ctx, role) })),
  }
}
