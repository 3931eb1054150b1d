/** Grants that end soon, for those who are told of it. */
import { and, between, eq, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { Executor } from '../../kernel/database/index.ts'
import { userGroupMembers } from '../users/index.ts'
import { assetPermissions, permissionUserGroups, permissionUsers } from './tables.ts'

const endSoon = (days: number) =>
  and(
    eq(assetPermissions.is_active, true),
    between(assetPermissions.date_expired, sql`now()`, sql`now() + ${days} * interval '1 day'`),
  )
/** SQL: the names of up to 20 of the rows of a group. */
const namesOf = (order: SQL) => sql`array_to_string((array_agg(name order by ${order}))[1:20], ', ')`

/** Whose grants in force end within so many days, by name or by a group: the people with the same names of up to 20 of them together. */
export async function grantsEndingSoon(
  db: Executor,
  days: number,
): Promise<{ users: string[]; names: string }[]> {
  const ends = endSoon(days)
  const byName = db
    .select({ user: sql`${permissionUsers.user}`.as('user'), name: assetPermissions.name })
    .from(permissionUsers)
    .innerJoin(assetPermissions, eq(assetPermissions.id, permissionUsers.assetpermission))
    .where(ends)
  const byGroup = db
    .select({ user: sql`${userGroupMembers.user_id}`.as('user'), name: assetPermissions.name })
    .from(permissionUserGroups)
    .innerJoin(assetPermissions, eq(assetPermissions.id, permissionUserGroups.assetpermission))
    .innerJoin(userGroupMembers, eq(userGroupMembers.usergroup_id, permissionUserGroups.usergroup))
    .where(ends)
  const told = sql`select person, ${namesOf(sql`name`)} as names from (${union(byName, byGroup)}) as ending (person, name) group by person`
  const { rows } = await db.execute<{ users: string[]; names: string }>(
    sql`select array_agg(person order by person) as users, names from (${told}) as told group by names order by names`,
  )
  return rows
}

/** Of which organizations grants in force end within so many days: how many, and the names of up to 20 of them. */
export async function organizationsOfEnding(
  db: Executor,
  days: number,
): Promise<{ org: string; count: number; names: string }[]> {
  const { rows } = await db.execute<{ org: string; count: number; names: string }>(
    sql`select org_id as org, count(*)::int as count, ${namesOf(sql`date_expired, name`)} as names
      from ${assetPermissions} where ${endSoon(days)} group by org_id order by org_id`,
  )
  return rows
}
