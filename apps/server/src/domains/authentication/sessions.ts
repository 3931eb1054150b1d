/** Signed-in browsers and programs. */
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import {
  accessKeys,
  bearerTokens,
  connectionTokens,
  passkeyChallenges,
  pendingSignIns,
  signatureNonces,
  spentCaptchas,
  tempTokens,
  webSessions,
} from './tables.ts'
import { hashOf, newToken } from './tokens/tokens.ts'

export interface SessionStart {
  userId: string
  remoteAddr: string
  userAgent: string
  autoLogin: boolean
  ageSeconds: number
  /** Other browsers of this person are signed out. */
  onlyOne: boolean
}

/** Always a new token: one from before signing in is worth nothing afterwards. */
export async function startSession(ctx: Context, start: SessionStart): Promise<string> {
  const token = newToken()
  if (start.onlyOne) await endSessions(ctx, eq(webSessions.user_id, start.userId))
  await ctx.db.insert(webSessions).values({
    token_hash: hashOf(token),
    user_id: start.userId,
    auto_login: start.autoLogin,
    remote_addr: start.remoteAddr,
    user_agent: start.userAgent.slice(0, 254),
    date_expired: sql`now() + ${start.ageSeconds} * interval '1 second'`,
  })
  return token
}

/** What the nodes tell each other is bounded. */
const endedAtOnce = 100

/** Signs browsers of one person out, and ends the terminals and other sockets that run on them. Answers whether there were any. */
export async function endSessions(ctx: Context, which: SQL | undefined): Promise<boolean> {
  const ended = await ctx.db
    .delete(webSessions)
    .where(which)
    .returning({ id: webSessions.id, user_id: webSessions.user_id })
  const [first] = ended
  if (first === undefined) return false
  for (let at = 0; at < ended.length; at += endedAtOnce)
    await ctx.emit({
      type: 'happened',
      name: 'browsers_signed_out',
      data: {
        user_id: first.user_id,
        session_ids: ended.slice(at, at + endedAtOnce).map(({ id }) => id),
      },
    })
  return true
}

export const endSession = (ctx: Context, sessionId: string): Promise<boolean> =>
  endSessions(ctx, eq(webSessions.id, sessionId))

/**
 * Ends what was opened with a password that is no longer the person's, or by somebody who may not be here: browsers but for the one named,
 * tokens, connections that were about to begin. Access keys are switched off, and on again by their person only.
 */
export async function endSignIns(
  ctx: Context,
  userId: string,
  keptSessionId: string | undefined,
): Promise<void> {
  await ctx.db
    .delete(webSessions)
    .where(
      and(
        eq(webSessions.user_id, userId),
        keptSessionId === undefined ? undefined : ne(webSessions.id, keptSessionId),
      ),
    )
  await ctx.db.delete(bearerTokens).where(eq(bearerTokens.user_id, userId))
  await ctx.db.delete(tempTokens).where(eq(tempTokens.user_id, userId))
  await ctx.db.delete(pendingSignIns).where(eq(pendingSignIns.user_id, userId))
  await ctx.db.update(accessKeys).set({ is_active: false }).where(eq(accessKeys.user_id, userId))
  await ctx.db.update(connectionTokens).set({ is_active: false }).where(eq(connectionTokens.user_id, userId))
  await ctx.emit({
    type: 'happened',
    name: 'sign_ins_ended',
    data: { user_id: userId, kept_session_id: keptSessionId },
  })
}

export async function startBearer(
  executor: Executor,
  { userId, remoteAddr, ageSeconds }: Pick<SessionStart, 'userId' | 'remoteAddr' | 'ageSeconds'>,
): Promise<{ token: string; date_expired: Date }> {
  const token = newToken()
  const [made] = await executor
    .insert(bearerTokens)
    .values({
      token_hash: hashOf(token),
      user_id: userId,
      remote_addr: remoteAddr,
      date_expired: sql`now() + ${ageSeconds} * interval '1 second'`,
    })
    .returning({ date_expired: bearerTokens.date_expired })
  return { token, date_expired: made?.date_expired ?? new Date(Date.now() + ageSeconds * 1000) }
}

export async function forgetEnded(executor: Executor): Promise<void> {
  await executor.delete(webSessions).where(sql`${webSessions.date_expired} < now()`)
  await executor.delete(pendingSignIns).where(sql`${pendingSignIns.date_expired} < now()`)
  await executor.delete(tempTokens).where(sql`${tempTokens.date_expired} < now() - interval '1 day'`)
  await executor.delete(passkeyChallenges).where(sql`${passkeyChallenges.date_expired} < now()`)
  await executor.delete(spentCaptchas).where(sql`${spentCaptchas.date_expired} < now()`)
  await executor.delete(bearerTokens).where(sql`${bearerTokens.date_expired} < now()`)
  await executor.delete(signatureNonces).where(sql`${signatureNonces.date_expired} < now()`)
  // Kept for a day, so that a connection that was lost can be opened again with the same choice.
  await executor
    .delete(connectionTokens)
    .where(sql`${connectionTokens.date_expired} < now() - interval '1 day'`)
}
