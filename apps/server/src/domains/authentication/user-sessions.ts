/** A person's own signed-in browsers: seen, and ended one by one. */
import { formatDatetime, UserSession } from '@sallyport/contract'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { callerOf, displayOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { endSessions } from './sessions.ts'
import { webSessions } from './tables.ts'

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const userSessions: Provided = provide(UserSession, {
  list: async (ctx) => {
    const { id, sessionId } = callerOf(ctx)
    const rows = await ctx.db
      .select()
      .from(webSessions)
      .where(and(eq(webSessions.user_id, id), gt(webSessions.date_expired, sql`now()`)))
      .orderBy(desc(webSessions.date_last_used))
    return rows.map((row) => ({
      id: row.id,
      remote_addr: row.remote_addr,
      user_agent: row.user_agent,
      date_created: formatDatetime(row.date_created, ctx.zone),
      date_last_used: formatDatetime(row.date_last_used, ctx.zone),
      is_current: row.id === sessionId,
    }))
  },
  end: async (ctx, { parameters: { session } }) => {
    const caller = callerOf(ctx)
    const theirs = and(eq(webSessions.id, session), eq(webSessions.user_id, caller.id))
    const isEnded = isUuid.test(session) && (await endSessions(ctx, theirs))
    if (!isEnded) throw notFound(() => 'Session')
    const resource = displayOf(caller)
    const data = { action: 'terminate', resource_type: 'authentication.usersession', resource } as const
    await ctx.emit({ type: 'happened', name: 'operated', data })
  },
})
