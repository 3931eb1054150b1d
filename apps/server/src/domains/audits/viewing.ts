import { and, eq, gt, sql } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { operateLogs } from './tables.ts'

/** Whether the books say that the caller viewed it within the last hour. */
export async function hasViewed(ctx: Context, resourceId: string): Promise<boolean> {
  const [found] = await ctx.db
    .select({ id: operateLogs.id })
    .from(operateLogs)
    .where(
      and(
        eq(operateLogs.resource_id, resourceId),
        gt(operateLogs.datetime, sql`now() - interval '1 hour'`),
        eq(operateLogs.action, 'view'),
        eq(operateLogs.user_id, callerOf(ctx).id),
      ),
    )
    .limit(1)
  return found !== undefined
}
