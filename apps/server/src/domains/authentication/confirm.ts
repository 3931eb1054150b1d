/** Asking people again who they are before something sensitive (auth.md section 6). */
import { choices, errors, translate } from '@sallyport/contract'
import { and, eq, gt, gte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context } from '../../kernel/context.ts'
import { ApiError, refusedAs } from '../../kernel/errors.ts'
import { route, type Route } from '../../kernel/http/route.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import type { Settings } from '../settings/index.ts'
import { blockOf, clearBlocks, countFailure, isPassword, users } from '../users/index.ts'
import { webSessions } from './tables.ts'

const levels = choices('confirm_type', ['relogin', 'password', 'mfa'])
export type ConfirmType = (typeof levels.values)[number]
const levelOf = (type: ConfirmType) => levels.values.indexOf(type) + 1

const path = '/api/v1/authentication/confirm/'

/**
 * @throws ApiError 400 with the type as its code unless this browser has just confirmed. Until second factors exist, a confirmation by
 * password is the strongest there is, and counts for `mfa`.
 */
export async function checkConfirmed(ctx: Context, settings: Settings, type: ConfirmType): Promise<void> {
  const values = await settings.all()
  if (!values.SECURITY_VIEW_AUTH_NEED_MFA) return
  const ttlSeconds = type === 'mfa' ? values.SECURITY_MFA_VERIFY_TTL : 300
  const needed = Math.min(levelOf(type), levelOf('password'))
  const { sessionId } = callerOf(ctx)
  const [fresh] =
    sessionId === undefined
      ? []
      : await ctx.db
          .select({ id: webSessions.id })
          .from(webSessions)
          .where(
            and(
              eq(webSessions.id, sessionId),
              gte(webSessions.confirm_level, needed),
              gt(webSessions.date_confirmed, sql`now() - ${ttlSeconds} * interval '1 second'`),
            ),
          )
  if (fresh === undefined)
    throw new ApiError(400, 'confirm_required', {
      body: (language) => ({ code: type, detail: translate(errors, language, 'confirm_required') }),
    })
}

export const confirmRoutes = (settings: Settings, secrets: Secrets): Route[] => [
  route({
    method: 'GET',
    path,
    access: 'valid_user',
    query: z.object({ confirm_type: z.enum(levels.values).default('password') }),
    handler: async (ctx) => {
      const { source } = await accountOf(ctx)
      if (source !== 'local') throw refusedAs('error', 404, 'confirm_unavailable')
      return { confirm_type: 'password', content: '' }
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
      if (body.confirm_type !== 'password' || source !== 'local' || sessionId === undefined)
        throw refusedAs('error', 400, 'confirm_unavailable')
      const limits = await settings.all()
      const minutes = limits.SECURITY_LOGIN_LIMIT_TIME
      // Guessing here is guessing the password: it is counted as at the door.
      if ((await blockOf(ctx.db, username, ctx.remoteAddr, limits)) !== undefined)
        throw refusedAs('error', 400, 'block_login', { minutes })
      if (!(await isPassword(stored, secrets.openEnvelope(body.secret_key)))) {
        await countFailure(ctx.db, username, ctx.remoteAddr, limits)
        throw refusedAs('error', 400, 'confirm_failed')
      }
      await clearBlocks(ctx.db, username)
      await ctx.db
        .update(webSessions)
        .set({ confirm_level: levelOf('password'), date_confirmed: new Date() })
        .where(eq(webSessions.id, sessionId))
      return reply.type('application/json').send(JSON.stringify('ok'))
    },
  }),
]

async function accountOf(ctx: Context) {
  const [account] = await ctx.db
    .select({ source: users.source, stored: users.password_hash })
    .from(users)
    .where(eq(users.id, callerOf(ctx).id))
  if (account === undefined) throw new ApiError(401, 'not_authenticated')
  return account
}
