import { type Confirmation, roleIds } from '@sallyport/contract'
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { holdMembers } from '../../kernel/resource/references.ts'
import { members as rowsOfMembers, type Rows, visibleTo } from '../../kernel/resource/rows.ts'
import type { Notifications } from '../notifications/index.ts'
import { checkMayReplaceRoles, protectAdministrators, type Rbac, roleBindings } from '../rbac/index.ts'
import { userGroupMembers, userGroups, users } from './tables.ts'

/** What this domain works with. */
export interface UsersServices extends Pick<Ground, 'database' | 'secrets'> {
  rbac: Rbac
  notifications: Notifications
  /** @throws ApiError 400 unless the caller has just confirmed who they are. */
  checkConfirmed: (ctx: Context, needed: Confirmation) => Promise<void>
}

export const notExpired: SQL = sql`(${users.date_expired} is null or ${users.date_expired} > now())`
/** SQL: whether the account may be used at all. */
export const isValid: SQL = sql`(${users.is_active} and ${notExpired})`

/** SQL: whether the account in `users` has a role in that organization. */
export const isMemberOf = (orgId: SQL | string): SQL =>
  sql`exists (select 1 from ${roleBindings} where ${roleBindings.user_id} = ${users.id} and ${roleBindings.org_id} = ${orgId})`

/** SQL: whether the account in `users` has a role in one of those organizations (an array). */
export const isMemberOfAny = (orgIds: SQL): SQL =>
  sql`exists (select 1 from ${roleBindings} where ${roleBindings.user_id} = ${users.id} and ${roleBindings.org_id} = any(${orgIds}))`

/** People, not components; they are in the organizations they have roles in. */
export const isPerson: SQL = eq(users.is_service_account, false)
export const people: Rows = rowsOfMembers((orgId) => sql`(${isPerson} and ${isMemberOf(orgId)})`)
/** People of the current organization, or of all in the root one. */
export const visiblePeople = (ctx: Context): SQL | undefined => and(isPerson, visibleTo(people, ctx))

/** Subqueries: the members of an organization by their ids, and by their usernames for books that keep names; and where somebody belongs. */
export const members = {
  ids: (orgId: SQL): SQL =>
    sql`select ${roleBindings.user_id} from ${roleBindings} where ${roleBindings.org_id} = ${orgId}`,
  usernames: (orgId: SQL): SQL => sql`select ${users.username} from ${users} where ${isMemberOf(orgId)}`,
  orgs: (userId: SQL): SQL =>
    sql`select ${roleBindings.org_id}
      from ${roleBindings}
      where ${roleBindings.user_id} = ${userId} and ${roleBindings.org_id} is not null`,
  /** Whether somebody has a part in the whole system, other than being a user of it. */
  since: (userId: SQL): SQL => sql`(select ${users.date_joined} from ${users} where ${users.id} = ${userId})`,
  isOfSystem: (userId: SQL): SQL =>
    sql`exists (
      select 1
      from ${roleBindings}
      where ${roleBindings.user_id} = ${userId}
        and ${roleBindings.org_id} is null
        and ${roleBindings.role_id} <> ${roleIds.user})`,
}

/** Somebody stays in their organizations until the transaction ends. */
export const holdPerson = (db: Executor, id: string) => holdMembers(db, users, eq(users.id, id))

/**
 * Ends memberships: roles there, groups there; whoever keeps grants hears `users_left_org`.
 * @throws ApiError 403 when somebody of them holds more there than the caller
 */
export async function leaveOrganization(
  ctx: Context,
  { rbac }: UsersServices,
  userIds: readonly string[],
  orgId: string,
): Promise<void> {
  if (userIds.length === 0) return
  const ids = [...userIds]
  // What names them, or begins a session for them, holds them (`holdPerson`): it is waited for, and seen below.
  await ctx.db.execute(
    sql`select 1 from ${users} where ${inArray(users.id, ids)} order by ${users.id} for update`,
  )
  await protectAdministrators(ctx, ids)
  await checkMayReplaceRoles(ctx, orgId, ids, [])
  await ctx.db
    .delete(roleBindings)
    .where(and(inArray(roleBindings.user_id, ids), eq(roleBindings.org_id, orgId)))
  await ctx.db
    .delete(userGroupMembers)
    .where(
      and(
        inArray(userGroupMembers.user_id, ids),
        sql`${userGroupMembers.usergroup_id} in (select ${userGroups.id} from ${userGroups} where ${userGroups.org_id} = ${orgId})`,
      ),
    )
  await ctx.emit({ type: 'happened', name: 'users_left_org', data: { user_ids: ids, org_id: orgId } })
  await rbac.changed(ctx.db)
}

export interface ServiceAccount {
  id: string
  name: string
  comment: string
}

/** An account for a component; undefined when its name or address is taken. */
export async function createServiceAccount(
  executor: Executor,
  rbac: Rbac,
  { name, comment }: { name: string; comment: string },
): Promise<ServiceAccount | undefined> {
  const suffix = '@local.domain'
  const address = `${name.replaceAll(/[^\w.-]+/g, '-').slice(0, 128 - suffix.length)}${suffix}`
  const [taken] = await executor
    .select({ id: users.id })
    .from(users)
    .where(or(eq(users.username, name), eq(users.email, address)))
    .limit(1)
  if (taken) return undefined
  const [made] = await executor
    .insert(users)
    .values({
      name,
      username: name,
      email: address,
      comment,
      is_service_account: true,
      is_first_login: false,
      created_by: 'System',
      updated_by: 'System',
    })
    .onConflictDoNothing()
    .returning({ id: users.id })
  if (made === undefined) return undefined
  await rbac.assign(executor, made.id, [roleIds.systemComponent], null)
  return { id: made.id, name, comment }
}
