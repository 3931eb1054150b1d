/** Asking people again who they are before something sensitive (auth.md section 6). */
import {
  Confirm,
  type ConfirmChallenge,
  type Confirmation,
  confirmTypes,
  errors,
  translate,
} from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { callerOf, type Context, type Identity } from '../../kernel/context.ts'
import { ApiError, forbidden, refusedAs } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { isStored, tryOwnPassword, users } from '../users/index.ts'
import { bearerTokens, webSessions } from './tables.ts'

const levelOf = (type: Confirmation) => confirmTypes.values.indexOf(type) + 1

/** How long a confirmation by password, or signing in itself, counts. */
const freshSeconds = 300
const within = (seconds: number): SQL => sql`now() - ${seconds} * interval '1 second'`

/**
 * Where a confirmation is kept: with the browser's session, or the Bearer token. A program that signs with an access key has nobody to ask.
 * @throws ApiError 403
 */
function signInOf({ sessionId, bearerId }: Identity) {
  if (sessionId !== undefined) return { table: webSessions, id: sessionId }
  if (bearerId !== undefined) return { table: bearerTokens, id: bearerId }
  throw forbidden('confirm_needs_sign_in')
}

async function holds(ctx: Context, condition: (table: typeof webSessions | typeof bearerTokens) => SQL) {
  const { table, id } = signInOf(callerOf(ctx))
  const found = await ctx.db.execute(
    sql`select 1 from ${table} join ${users} on ${users.id} = ${table.user_id}
      where ${table.id} = ${id} and ${condition(table)}`,
  )
  return found.rows.length > 0
}
const isSignedInLately = (ctx: Context) =>
  holds(ctx, (table) => sql`${table.date_created} > ${within(freshSeconds)}`)

/**
 * @throws ApiError 400 with the type as its code unless the caller has just confirmed, 403 when there is nobody to ask. Until second factors
 * exist, a confirmation by password is the strongest there is, and counts for `mfa`; for people whose password is not kept here, it is
 * signing in again.
 */
export async function checkConfirmed(ctx: Context, type: Confirmation): Promise<void> {
  const values = ctx.settings
  if (!values.SECURITY_VIEW_AUTH_NEED_MFA) return
  const ttlSeconds = type === 'mfa' ? values.SECURITY_MFA_VERIFY_TTL : freshSeconds
  const needed = Math.min(levelOf(type), levelOf('password'))
  const isConfirmed = await holds(
    ctx,
    (table) => sql`(
      (${table.confirm_level} >= ${needed} and ${table.date_confirmed} > ${within(ttlSeconds)})
      or (${type === 'relogin'} or ${users.source} <> 'local') and ${table.date_created} > ${within(freshSeconds)})`,
  )
  if (!isConfirmed)
    throw new ApiError(400, 'confirm_required', {
      body: (language) => ({ code: type, detail: translate(errors, language, 'confirm_required') }),
    })
}

export const confirmation: Provided = provide(Confirm, {
  challenge: async (ctx): Promise<ConfirmChallenge> => {
    signInOf(callerOf(ctx))
    return { confirm_type: (await sourceOf(ctx)) === 'local' ? 'password' : 'relogin', content: '' }
  },

  confirm: {
    ahead: async (ctx, { body, request }) => {
      const { table, id } = signInOf(callerOf(ctx))
      if (body.confirm_type === 'relogin') {
        // Nothing is noted: the time of signing in says it, and a stronger confirmation stays.
        if (await isSignedInLately(ctx)) return () => Promise.resolve('ok')
        throw refusedAs('error', 400, 'confirm_login_too_old', { minutes: freshSeconds / 60 })
      }
      const person = await checkPassword(ctx, request, body.confirm_type, body.secret_key ?? '')
      return async ({ db }) => {
        // Another password may have come into force while this one was looked at.
        const [still] = await db.select({ id: users.id }).from(users).where(isStored(person)).for('share')
        if (still === undefined) throw refusedAs('error', 400, 'confirm_failed')
        await db.execute(
          sql`update ${table} set confirm_level = ${levelOf('password')}, date_confirmed = now() where ${table.id} = ${id}`,
        )
        return 'ok' as const
      }
    },
  },

  relogin: () => Promise.resolve('ok'),

  // There is no second factor yet that a code is sent for.
  sendCode: () => Promise.reject(refusedAs('error', 400, 'confirm_unavailable')),
})

/** @returns the person and the hash the password was compared with */
async function checkPassword(ctx: Context, request: FastifyRequest, type: Confirmation, given: string) {
  if (type !== 'password' || (await sourceOf(ctx)) !== 'local')
    throw refusedAs('error', 400, 'confirm_unavailable')
  const { verdict, person } = await tryOwnPassword(ctx, request, given)
  if (verdict.is === 'blocked')
    throw refusedAs('error', 400, 'block_login', { minutes: ctx.settings.SECURITY_LOGIN_LIMIT_TIME })
  if (verdict.is === 'wrong') throw refusedAs('error', 400, 'confirm_failed')
  return person
}

async function sourceOf(ctx: Context): Promise<string> {
  const [account] = await ctx.db
    .select({ source: users.source })
    .from(users)
    .where(eq(users.id, callerOf(ctx).id))
  if (account === undefined) throw new ApiError(401, 'not_authenticated')
  return account.source
}
