import { roleIds } from '@sallyport/contract'
import { and, eq, isNull, notInArray, or, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { refused } from '../../kernel/errors.ts'
import { roleBindings, roles } from '../rbac/index.ts'
import { isPerson, isValid } from './service.ts'
import { users } from './tables.ts'

/**
 * Whether somebody is left who can administrate the system, when these people are not counted; asked after a change of roles and accounts.
 * @throws ApiError 400 when nobody is
 */
export async function keepAnAdministrator(ctx: Context, without: readonly string[] = []): Promise<void> {
  // One change at a time: two administrators cannot take each other's place at once.
  await ctx.db.execute(
    sql`select 1 from ${roles} where ${roles.id} = ${roleIds.systemAdmin} for no key update`,
  )
  const left = await ctx.db
    .select({ id: users.id })
    .from(users)
    .innerJoin(roleBindings, eq(roleBindings.user_id, users.id))
    .where(
      and(
        eq(roleBindings.role_id, roleIds.systemAdmin),
        isNull(roleBindings.org_id),
        isPerson,
        isValid,
        without.length > 0 ? notInArray(users.id, [...without]) : undefined,
      ),
    )
    .limit(1)
  if (left.length === 0) throw refused('last_administrator')
}

/** Who looks after an organization: its administrators, else those of the system. */
export async function administratorsOf(db: Executor, orgId: string): Promise<string[]> {
  const found = await db
    .selectDistinct({ id: users.id, org_id: roleBindings.org_id })
    .from(users)
    .innerJoin(roleBindings, eq(roleBindings.user_id, users.id))
    .where(
      and(
        isPerson,
        isValid,
        or(
          and(eq(roleBindings.role_id, roleIds.orgAdmin), eq(roleBindings.org_id, orgId)),
          and(eq(roleBindings.role_id, roleIds.systemAdmin), isNull(roleBindings.org_id)),
        ),
      ),
    )
  const own = found.filter(({ org_id }) => org_id === orgId)
  return (own.length > 0 ? own : found).map(({ id }) => id)
}
