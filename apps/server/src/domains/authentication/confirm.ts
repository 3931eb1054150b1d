/** Asking people again who they are before something sensitive (auth.md section 6). */
import { choices, errors, translate } from '@sallyport/contract'
import { and, eq, gt, gte, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context } from '../../kernel/context.ts'
import { ApiError, refusedAs } from '../../kernel/errors.ts'
import { route, type Route } from '../../kernel/http/route.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { isPassword, tryOnce, users } from '../users/index.ts'
import { webSessions } from './tables.ts'

const levels = choices('confirm_type', ['relogin', 'password', 'mfa'])
export type ConfirmType = (typeof levels.values)[number]
const levelOf = (type: ConfirmType) => levels.values.indexOf(type) + 1

const path = '/api/v1/authentication/confirm/'
/** How long a confirmation by password, or signing in itself, counts. */
const freshSeconds = 300
const signedInLately = gt(webSessions.date_created, sql`now() - ${freshSeconds} * interval '1 second'`)

/**
 * @throws ApiError 400 with the type as its code unless this browser has just confirmed. Until second factors exist, a confirmation by
 * password is the strongest there is, and counts for `mfa`; for people whose password is not kept here, it is signing in again.
 */
export async function checkConfirmed(ctx: Context, type: ConfirmType): Promise<void> {
  const values = ctx.settings
  if (!values.SECURITY_VIEW_AUTH_NEED_MFA) return
  const ttlSeconds = type === 'mfa' ? values.SECURITY_MFA_VERIFY_TTL : freshSeconds
  const needed = Math.min(levelOf(type), levelOf('password'))
  const { sessionId } = callerOf(ctx)
  const [fresh] =
    sessionId === undefined
      ? []
      : await ctx.db
          .select({ id: webSessions.id })
          .from(webSessions)
          .innerJoin(users, eq(users.id, webSessions.user_id))
          .where(
            and(
              eq(webSessions.id, sessionId),
              or(
                and(
                  gte(webSessions.confirm_level, needed),
                  gt(webSessions.date_confirmed, sql`now() - ${ttlSeconds} * interval '1 second'`),
                ),
                and(type === 'relogin' ? undefined : ne(users.source, 'local'), signedInLately),
              ),
            ),
          )
  if (fresh === undefined)
    throw new ApiError(400, 'confirm_required', {
      body: (language) => ({ code: type, detail: translate(errors, language, 'confirm_required') }),
    })
}

export const confirmRoutes = (secrets: Secrets): Route[] => [
  route({
    method: 'GET',
    path,
    access: 'valid_user',
    query: z.object({ confirm_type: z.enum(levels.values).default('password') }),
    handler: async (ctx) => {
      const { source } = await accountOf(ctx)
      return { confirm_type: source === 'local' ? 'password' : 'relogin', content: '' }
    },
  }),
  route({
    method: 'POST',
    path,
    access: 'valid_user',
    body: z.object({
      confirm_type: z.enum(levels.values),
      mfa_type: z.string().max(32).optional(),
      secret_key: z.string().max(8192),
    }),
    handler: async (ctx, { body, reply }) => {
      const { sessionId, username } = callerOf(ctx)
      const { source, stored } = await accountOf(ctx)
      if (sessionId === undefined) throw refusedAs('error', 400, 'confirm_unavailable')
      const ok = () => reply.type('application/json').send(JSON.stringify('ok'))
      if (body.confirm_type === 'relogin') {
        // Nothing is noted: the time of signing in says it, and a stronger confirmation stays.
        if (await isSignedInLately(ctx, sessionId)) return ok()
        throw refusedAs('error', 400, 'confirm_login_too_old', { minutes: freshSeconds / 60 })
      }
      if (body.confirm_type !== 'password' || source !== 'local')
        throw refusedAs('error', 400, 'confirm_unavailable')
      const limits = ctx.settings
      const who = { username, ip: ctx.remoteAddr }
      // Guessing here is guessing the password: it is counted as at the door.
      const verdict = await tryOnce(ctx.db, who, limits, () =>
        isPassword(stored, secrets.openEnvelope(body.secret_key)),
      )
      if (verdict.is === 'blocked')
        throw refusedAs('error', 400, 'block_login', { minutes: limits.SECURITY_LOGIN_LIMIT_TIME })
      if (verdict.is === 'wrong') throw refusedAs('error', 400, 'confirm_failed')
      await ctx.db
        .update(webSessions)
        .set({ confirm_level: levelOf('password'), date_confirmed: new Date() })
        .where(eq(webSessions.id, sessionId))
      return ok()
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/authentication/confirm-oauth/',
    access: 'valid_user',
    handler: async (ctx, { reply }) => {
      await checkConfirmed(ctx, 'relogin')
      return reply.type('application/json').send(JSON.stringify('ok'))
    },
  }),
]

async function isSignedInLately(ctx: Context, sessionId: string): Promise<boolean> {
  const found = await ctx.db
    .select({ id: webSessions.id })
    .from(webSessions)
    .where(and(eq(webSessions.id, sessionId), signedInLately))
  return found.length > 0
}

async function accountOf(ctx: Context) {
  const [account] = await ctx.db
    .select({ source: users.source, stored: users.password_hash })
    .from(users)
    .where(eq(users.id, callerOf(ctx).id))
  if (account === undefined) throw new ApiError(401, 'not_authenticated')
  return account
}
