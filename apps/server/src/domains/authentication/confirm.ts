/** Asking people again who they are before something sensitive (auth.md section 6). */
import {
  Confirm,
  type ConfirmChallenge,
  type Confirmation,
  confirmTypes,
  errors,
  type Language,
  serverTexts,
  translate,
} from '@sallyport/contract'
import { type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { callerOf, type Context, type Identity } from '../../kernel/context.ts'
import { ApiError, forbidden, refusedAs } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { isCheckedThere, isUnanswered } from '../directory/index.ts'
import { isStored, tryOwnPassword, users } from '../users/index.ts'
import { stillProves } from './credentials.ts'
import { type Known, knownBy } from './known.ts'
import { checkCode, factorsOf } from './mfa/mfa.ts'
import { refusedSignIn } from './refusals.ts'
import type { StepParts } from './steps/step.ts'
import { bearerTokens, webSessions } from './tables.ts'

type CodeParts = Pick<StepParts, 'secrets' | 'notifications'>
type ConfirmParts = CodeParts & Pick<StepParts, 'directory'>

const levelOf = (type: Confirmation) => confirmTypes.values.indexOf(type) + 1

/** How long a confirmation by password, or signing in itself, counts. */
const freshSeconds = 300
const within = (seconds: number): SQL => sql`now() - ${seconds} * interval '1 second'`

/**
 * Where a confirmation is kept: with the browser's session, or the Bearer token. A program that signs with an access key has nobody to ask.
 * @throws ApiError 403
 */
export function signInOf({ sessionId, bearerId }: Identity) {
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
 * @throws ApiError 400 with the type as its code unless the caller has just confirmed, 403 when there is nobody to ask. Whoever has a second
 * factor confirms with it, also where a password is asked for. For whoever has none, a confirmation by password is the strongest there is,
 * and counts for `mfa`; for people whose password nobody here can ask for, it is signing in again.
 */
export async function checkConfirmed(ctx: Context, type: Confirmation): Promise<void> {
  const values = ctx.settings
  if (!values.SECURITY_VIEW_AUTH_NEED_MFA) return
  signInOf(callerOf(ctx))
  const person = await callingPerson(ctx)
  const hasFactor = usableFactors(ctx, person).length > 0
  const strongest = hasFactor ? 'mfa' : 'password'
  const needed = type === 'relogin' ? type : strongest
  const bySignIn = type === 'relogin' || (!hasFactor && !hasPassword(ctx, person))
  const ttlSeconds = type === 'mfa' ? values.SECURITY_MFA_VERIFY_TTL : freshSeconds
  const isConfirmed = await holds(
    ctx,
    (table) => sql`(
      (${table.confirm_level} >= ${levelOf(needed)}::int and ${table.date_confirmed} > ${within(ttlSeconds)})
      or ${bySignIn} and ${table.date_created} > ${within(freshSeconds)})`,
  )
  if (!isConfirmed)
    throw new ApiError(400, 'confirm_required', {
      body: (language) => ({
        code: hasFactor ? needed : type,
        detail: translate(errors, language, 'confirm_required'),
      }),
    })
}

export const confirmation = (parts: ConfirmParts): Provided =>
  provide(Confirm, {
    challenge: async (ctx): Promise<ConfirmChallenge> => {
      signInOf(callerOf(ctx))
      const person = await callingPerson(ctx)
      const factors = usableFactors(ctx, person)
      if (factors.length > 0)
        return { confirm_type: 'mfa', content: factors.map((name) => offered(name, ctx.language)) }
      return { confirm_type: hasPassword(ctx, person) ? 'password' : 'relogin', content: '' }
    },

    confirm: {
      ahead: async (ctx, { body, request }) => {
        const given = body.secret_key ?? ''
        if (body.confirm_type === 'relogin') {
          signInOf(callerOf(ctx))
          // Nothing is noted: the time of signing in says it, and a stronger confirmation stays.
          if (await isSignedInLately(ctx)) return () => Promise.resolve('ok')
          throw refusedAs('error', 400, 'confirm_login_too_old', { minutes: freshSeconds / 60 })
        }
        if (body.confirm_type === 'mfa') {
          await checkOwnCode(ctx, parts, request, { factor: body.mfa_type ?? '', code: given }, 'error')
          return async ({ db, identity }) => {
            await noteConfirmed(db, identity, 'mfa')
            return 'ok' as const
          }
        }
        const still = await checkPassword(ctx, parts, request, given)
        return async ({ db, identity }) => {
          // Another password may have come into force while this one was looked at.
          const [person] = await db.select({ id: users.id }).from(users).where(still).for('share')
          if (person === undefined) throw refusedAs('error', 400, 'confirm_failed')
          await noteConfirmed(db, identity, 'password')
          return 'ok' as const
        }
      },
    },

    relogin: () => Promise.resolve('ok'),
  })

export async function noteConfirmed(
  db: Executor,
  identity: Identity | undefined,
  type: Confirmation,
): Promise<void> {
  if (identity === undefined) throw new ApiError(401, 'not_authenticated')
  const { table, id } = signInOf(identity)
  await db.execute(
    sql`update ${table} set confirm_level = ${levelOf(type)}, date_confirmed = now() where ${table.id} = ${id}`,
  )
}

/** A second factor counts where the person, or the platform, wants one. */
const usableFactors = (ctx: Context, person: Known) => (person.isMfaEnabled ? factorsOf(ctx, person) : [])

const offered = (name: string, language: Language) => ({
  name,
  disabled: false,
  display_name: translate(serverTexts, language, `mfa.${name}` as 'mfa.otp'),
  placeholder: translate(serverTexts, language, `mfa.${name}.placeholder` as 'mfa.otp.placeholder'),
})

/** @throws ApiError 400 with the sentence in `field` */
export async function checkOwnCode(
  ctx: Context,
  parts: CodeParts,
  request: FastifyRequest,
  { factor, code }: { factor: string; code: string },
  field: 'error' | 'msg',
): Promise<void> {
  const caller = callerOf(ctx)
  signInOf(caller)
  const refused = await checkCode(ctx, parts, await callingPerson(ctx), {
    factor,
    code,
    way: {
      remoteAddr: ctx.remoteAddr,
      type: caller.by === 'session' ? 'W' : 'U',
      userAgent: (request.headers['user-agent'] ?? '').slice(0, 254),
    },
  })
  if (refused === undefined) return
  const { error, msg } = refusedSignIn(ctx, refused)
  throw new ApiError(400, refused.reason, {
    body: () => (field === 'error' ? { error: msg, code: error } : { error, msg }),
  })
}

/** Whether there is somebody to ask whether a password is this person's. */
const hasPassword = (ctx: Context, person: Known) => person.source === 'local' || isCheckedThere(ctx, person)

/** @returns SQL: whether the password that was compared with is still the person's */
async function checkPassword(ctx: Context, parts: ConfirmParts, request: FastifyRequest, given: string) {
  signInOf(callerOf(ctx))
  const asked = await callingPerson(ctx)
  if (usableFactors(ctx, asked).length > 0) throw refusedAs('error', 400, 'mfa_required')
  if (!hasPassword(ctx, asked)) throw refusedAs('error', 400, 'confirm_unavailable')
  const isLocal = asked.source === 'local'
  const elsewhere = (username: string) =>
    parts.directory.isPassword(ctx, asked, { username, password: given })
  const { verdict, person } = await tryOwnPassword(
    ctx,
    request,
    given,
    isLocal ? undefined : elsewhere,
  ).catch((error: unknown) => {
    throw isUnanswered(error) ? refusedAs('error', 400, error.code) : error
  })
  if (verdict.is === 'blocked')
    throw refusedAs('error', 400, 'block_login', { minutes: ctx.settings.SECURITY_LOGIN_LIMIT_TIME })
  if (verdict.is === 'wrong') throw refusedAs('error', 400, 'confirm_failed')
  return isLocal ? isStored(person) : stillProves('LDAP/AD', asked)
}

async function callingPerson(ctx: Context): Promise<Known> {
  const person = await knownBy(ctx, callerOf(ctx).id)
  if (person === undefined) throw new ApiError(401, 'not_authenticated')
  return person
}
