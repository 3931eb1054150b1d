import { defaultOrgId, roleIds, User, UserGroup, UserGroupRelation } from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { forbidden, invalid } from '../../kernel/errors.ts'
import {
  type AskedOf,
  type InputOf,
  type RelatedTable,
  type SavedOf,
  type SavingOf,
  type Served,
  serve,
} from '../../kernel/resource/binding.ts'
import { org, through } from '../../kernel/resource/rows.ts'
import { checkMayReplaceRoles, protectAdministrators, roleBindings, roleNamed, roles } from '../rbac/index.ts'
import { computed, present, relations } from './account.ts'
import { keepAnAdministrator } from './administrators.ts'
import { userCalls } from './calls.ts'
import { recordMemberships } from './membership.ts'
import { hashPassword, passwordWasSet } from './passwords.ts'
import { linkHours, makePasswordLink } from './password-links.ts'
import { parsePublicKey } from './public-keys.ts'
import {
  changesSignIn,
  changesSource,
  checkMayManageSignIns,
  lockingOut,
  prepareOwnMfaLevel,
} from './policy.ts'
import { isPerson, people, type UsersServices } from './service.ts'
import { userGroupMembers, userGroups, users } from './tables.ts'

type Input = InputOf<typeof User, typeof users>

/** The built-in administrator, who must always be able to sign in. */
export const builtinAdmin = 'admin'

export const person: RelatedTable = { table: users, rows: people, visible: () => isPerson }

export function userServed(services: UsersServices): Served {
  return serve(User, {
    table: users,
    rows: people,
    held: { statistic: 'users_amount' },
    visible: () => isPerson,
    relations,
    computed,
    present,
    filters: { system_roles: holding('system'), org_roles: holding('org') },
    calls: userCalls(services),
    defaults: () => ({
      system_roles: [roleIds.user],
      org_roles: [roleIds.orgUser],
      date_expired: yearsFromNow(70),
    }),
    may: (ctx, { id, username }, action) => {
      // Without mail nobody would get the link, and the person would be locked out.
      if (action === 'sendPasswordReset' && !services.notifications.canMail(ctx)) return 'mail_unavailable'
      if (action !== 'delete') return true
      if (username === builtinAdmin) return 'admin_protected'
      return id === callerOf(ctx).id ? 'own_account' : true
    },
    ahead: (_ctx, asked) => hashed(asked),
    prepare: (ctx, saving) => prepare(ctx, services, saving),
    saved: (ctx, rows) => afterSave(ctx, services, rows),
    removing: async (ctx, rows) => {
      await checkMayManageSignIns(
        ctx,
        rows.map(({ id }) => id),
      )
      await keepAnAdministrator(
        ctx,
        rows.map(({ id }) => id),
      )
      await services.rbac.changed(ctx.db)
    },
  })
}

/** Roles by id, stored name, or the translated name of a built-in one; of an unknown role nobody is a holder. */
const holding =
  (scope: 'system' | 'org') =>
  (value: string): SQL =>
    sql`exists (
      select 1
      from ${roleBindings}
      join ${roles} on ${roles.id} = ${roleBindings.role_id}
      where ${roleBindings.user_id} = ${users.id} and ${roles.scope} = ${scope} and ${roleNamed(value)})`

function yearsFromNow(years: number): string {
  const date = new Date()
  date.setUTCFullYear(date.getUTCFullYear() + years)
  return date.toISOString()
}

/** A new account has a password only where one is to be set, not where its person gets a link. */
async function hashed({ mode, input }: AskedOf<typeof User>): Promise<Input> {
  const isWanted = mode !== 'create' || input.password_strategy === 'custom'
  return input.password && isWanted ? { ...input, password_hash: await hashPassword(input.password) } : input
}

async function prepare(
  ctx: Context,
  services: UsersServices,
  { mode, input, before }: SavingOf<typeof User, typeof users>,
): Promise<Input> {
  const kept: Input = { ...input }
  const id = before?.id
  if (id !== undefined) await protectAdministrators(ctx, [id])
  await prepareRoles(ctx, kept, id)
  prepareSecurity(kept)
  if (before && id === callerOf(ctx).id) {
    delete kept.is_active
    await prepareOwnMfaLevel(ctx, services, kept, before)
  }
  if (before?.username === builtinAdmin) {
    if ('username' in kept) kept.username = builtinAdmin
    if ('is_active' in kept) kept.is_active = true
    const lockedOut = lockingOut(ctx, kept, before)
    if (lockedOut !== undefined) throw invalid(lockedOut, 'admin_signs_in')
  }
  if (before && changesSignIn(ctx, kept, before)) {
    await checkMayManageSignIns(ctx, [before.id])
    const [isOwn, isMoved] = [id === callerOf(ctx).id, changesSource(kept, before)]
    // Who need not know the password here would be asked for none.
    if (isOwn && isMoved) throw invalid('source', 'own_source')
    // Who found a signed-in browser must not stay by way of one's own row in the list.
    if (isOwn || isMoved) await services.checkConfirmed(ctx, 'password')
  }
  const source = kept.source ?? before?.source ?? 'local'
  if (kept.password_hash !== undefined && source === 'local') kept.date_password_last_updated = new Date()
  else {
    delete kept.password
    delete kept.password_hash
  }
  // Nobody changes here what is kept elsewhere.
  if (source !== 'local') delete kept.need_update_password
  if (mode !== 'create') delete kept.password_strategy
  return kept
}

/** Roles a caller may not write were dropped from the payload; what is left on create are the defaults. */
async function prepareRoles(ctx: Context, kept: Input, id: string | undefined): Promise<void> {
  const { system_roles: systemRoles, org_roles: orgRoles } = kept
  if (systemRoles !== undefined) {
    const wanted = systemRoles.length === 0 ? [roleIds.user] : systemRoles
    if (systemRoles.length === 0 && id !== undefined) throw invalid('system_roles', 'role_required')
    if (wanted.includes(roleIds.systemAdmin) && !callerOf(ctx).isSuperAdmin)
      throw forbidden('system_admin_grant')
    if (ctx.can('rbac.add_systemrolebinding')) await checkMayReplaceRoles(ctx, null, [id], wanted)
    kept.system_roles = wanted
  }
  if (ctx.org.is_root) delete kept.org_roles
  else if (orgRoles !== undefined) {
    // Without any they would be in this organization no more, which is another call (`remove`) with a permission of its own.
    if (orgRoles.length === 0 && id !== undefined) throw invalid('org_roles', 'role_required')
    const wanted = orgRoles.length === 0 ? [roleIds.orgUser] : orgRoles
    if (ctx.can('rbac.add_orgrolebinding')) await checkMayReplaceRoles(ctx, ctx.org.id, [id], wanted)
    kept.org_roles = wanted
  }
}

/** An empty key means: leave it as it is. */
export function prepareSecurity(kept: Pick<Input, 'public_key'>): void {
  const { public_key: key } = kept
  if (typeof key !== 'string' || key === '') delete kept.public_key
  else if (parsePublicKey(key) === undefined) throw invalid('public_key', 'not_public_key')
}

async function afterSave(
  ctx: Context,
  services: UsersServices,
  rows: readonly SavedOf<typeof User, typeof users>[],
): Promise<void> {
  for (const { mode, input, id, after } of rows) {
    if (input.password_hash)
      await passwordWasSet(ctx, { id, name: after.name, username: after.username }, input.password_hash)
    if (mode !== 'create') continue
    await joinSomewhere(ctx, services, id)
    if (input.password_strategy !== 'custom' && after.source === 'local') await welcome(ctx, services, id)
  }
  const mayLose = ({ mode, input }: (typeof rows)[number]) =>
    mode !== 'create' && losingAdministrators.some((name) => input[name] !== undefined)
  if (rows.some(mayLose)) await keepAnAdministrator(ctx)
  await services.rbac.changed(ctx.db)
}
/** What can make of an administrator one who is none any more, or cannot log in. */
const losingAdministrators = ['system_roles', 'is_active', 'date_expired', 'source'] as const

/** Somebody new is mailed a link to set their password. */
async function welcome(ctx: Context, { notifications }: UsersServices, id: string): Promise<void> {
  if (!notifications.canMail(ctx)) return
  const {
    EMAIL_CUSTOM_USER_CREATED_SUBJECT: subject,
    EMAIL_CUSTOM_USER_CREATED_HONORIFIC: honorific,
    EMAIL_CUSTOM_USER_CREATED_BODY: text,
    EMAIL_CUSTOM_USER_CREATED_SIGNATURE: signature,
  } = ctx.settings
  const own = [honorific, text].filter((line) => line !== '')
  const body = own.length === 0 ? '' : [...own, '{link}'].join('\n')
  const link = await makePasswordLink(ctx, id)
  const texts = { subject, body, signature }
  await notifications.send(ctx, 'UserCreatedMsg', [id], { link, hours: linkHours }, texts)
}

/** A person who was made in the view of all organizations belongs to the default one. */
async function joinSomewhere(ctx: Context, { rbac }: UsersServices, id: string): Promise<void> {
  const [member] = await ctx.db
    .select({ id: roleBindings.id })
    .from(roleBindings)
    .where(and(eq(roleBindings.user_id, id), sql`${roleBindings.org_id} is not null`))
    .limit(1)
  if (!member) await rbac.assign(ctx.db, id, [roleIds.orgUser], defaultOrgId)
}

export function groupServed(): Served {
  return serve(UserGroup, {
    table: userGroups,
    rows: org(userGroups.org_id),
    held: { statistic: 'groups_amount' },
    relations: {
      users: {
        link: userGroupMembers,
        from: userGroupMembers.usergroup_id,
        to: userGroupMembers.user_id,
        target: person,
      },
    },
    computed: {
      users_amount: sql`(select count(*)::int from ${userGroupMembers} where ${userGroupMembers.usergroup_id} = ${userGroups.id})`,
    },
  })
}

export function groupRelationServed(): Served {
  const group: RelatedTable = { table: userGroups, rows: org(userGroups.org_id) }
  const userName = sql`(select ${users.name} from ${users} where ${users.id} = ${userGroupMembers.user_id})`
  const groupName = sql`(select ${userGroups.name} from ${userGroups} where ${userGroups.id} = ${userGroupMembers.usergroup_id})`
  return serve(UserGroupRelation, {
    table: userGroupMembers,
    rows: through(userGroupMembers.usergroup_id, group),
    relations: { user: person, usergroup: group },
    saved: async (ctx, rows) => {
      const left = rows.flatMap(({ before }) => (before === undefined ? [] : [before]))
      if (left.length > 0) await recordMemberships(ctx, left, 'left')
      await recordMemberships(
        ctx,
        rows.map(({ after }) => after),
        'joined',
      )
    },
    removing: (ctx, rows) => recordMemberships(ctx, rows, 'left'),
    computed: { user_display: userName, usergroup_display: groupName },
    searches: [
      (pattern) =>
        sql`${userGroupMembers.user_id} in (
          select ${users.id}
          from ${users}
          where ${users.name} ilike ${pattern} or ${users.username} ilike ${pattern})`,
      (pattern) =>
        sql`${userGroupMembers.usergroup_id} in (select ${userGroups.id} from ${userGroups} where ${userGroups.name} ilike ${pattern})`,
    ],
  })
}
