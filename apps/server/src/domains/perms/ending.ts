/** Grants that end soon, for those who are told of it. */
import { and, between, eq, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Executor } from '../../kernel/database/index.ts'
import { userGroupMembers } from '../users/index.ts'
import { assetPermissions, permissionUserGroups, permissionUsers } from './tables.ts'

const endSoon = (days: number) =>
  and(
    eq(assetPermissions.is_active, true),
    between(assetPermissions.date_expired, sql`now()`, sql`now() + ${days} * interval '1 day'`),
  )
const namesAtMost = 20
const namesOf = (grants: readonly { name: string }[]) =>
  grants
    .slice(0, namesAtMost)
    .map(({ name }) => name)
    .join(', ')

/** Whose grants in force end within so many days, by name or by a group, with the names of up to 20 of them. */
export async function grantsEndingSoon(
  db: Executor,
  days: number,
): Promise<{ user: string; names: string }[]> {
  const ends = endSoon(days)
  const byName = db
    .select({ user: permissionUsers.user, name: assetPermissions.name })
    .from(permissionUsers)
    .innerJoin(assetPermissions, eq(assetPermissions.id, permissionUsers.assetpermission))
    .where(ends)
  const byGroup = db
    .select({ user: userGroupMembers.user_id, name: assetPermissions.name })
    .from(permissionUserGroups)
    .innerJoin(assetPermissions, eq(assetPermissions.id, permissionUserGroups.assetpermission))
    .innerJoin(userGroupMembers, eq(userGroupMembers.usergroup_id, permissionUserGroups.usergroup))
    .where(ends)
  const ending = await union(byName, byGroup).orderBy(sql`1, 2`)
  return [...Map.groupBy(ending, ({ user }) => user)].map(([user, grants]) => ({
    user,
    names: namesOf(grants),
  }))
}

/** Of which organizations grants in force end within so many days: how many, and the names of up to 20 of them. */
export async function organizationsOfEnding(
  db: Executor,
  days: number,
): Promise<{ org: string; count: number; names: string }[]> {
  const ending = await db
    .select({ org: assetPermissions.org_id, name: assetPermissions.name })
    .from(assetPermissions)
    .where(endSoon(days))
    .orderBy(assetPermissions.org_id, assetPermissions.date_expired, assetPermissions.name)
  return [...Map.groupBy(ending, ({ org }) => org)].map(([org, grants]) => ({
    org,
    count: grants.length,
    names: namesOf(grants),
  }))
}
