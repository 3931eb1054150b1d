/** Whether somebody may come in (auth.md sections 1 and 2). Says the same, in the same time, whether the name or the password is wrong. */
import {
  type ErrorKey,
  type Params,
  type PasswordRules,
  passwordRulesOf,
  type Problem,
  type SettingValues,
} from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import {
  blockOf,
  clearBlocks,
  countFailure,
  choosePassword,
  isPassword,
  isSameKey,
  isValid,
  type UsersServices,
  users,
} from '../users/index.ts'

export interface Attempt {
  username: string
  password: string | undefined
  /** Proven by a component: it has seen the signature. */
  publicKey: string | undefined
  /** Replaces a password that must be changed before it is good again. */
  newPassword?: string | undefined
  type: 'W' | 'T' | 'U'
  remoteAddr: string
  userAgent: string
}

export type Outcome =
  | { ok: true; user: { id: string; name: string; username: string } }
  | {
      ok: false
      error: string
      reason: ErrorKey
      params?: Params
      /** What the new password must be like, where one is asked for. */
      passwordRules?: PasswordRules
    }

const dayMs = 86_400_000

export async function trySignIn(ctx: Context, services: UsersServices, attempt: Attempt): Promise<Outcome> {
  const limits = await services.settings.all()
  const { username, remoteAddr } = attempt
  const backend = attempt.publicKey === undefined ? 'Password' : 'SSH Key'
  const record = (status: boolean, reason: string, mfa: 0 | 1 | 2 = 2) =>
    ctx.emit({
      type: 'happened',
      name: 'login',
      data: {
        username,
        type: attempt.type,
        ip: remoteAddr,
        user_agent: attempt.userAgent.slice(0, 254),
        status,
        reason,
        backend,
        mfa,
      },
    })
  const block = await blockOf(ctx.db, username, remoteAddr, limits)
  if (block !== undefined) {
    if (attempt.publicKey === undefined) await countFailure(ctx.db, username, remoteAddr, limits)
    const error = block === 'account' ? 'block_login' : 'block_global_ip_login'
    await record(false, error)
    const minutes =
      block === 'account' ? limits.SECURITY_LOGIN_LIMIT_TIME : limits.SECURITY_LOGIN_IP_LIMIT_TIME
    return { ok: false, error, reason: error, params: { minutes } }
  }

  const [user] = await ctx.db
    .select({
      id: users.id,
      name: users.name,
      username: users.username,
      source: users.source,
      stored: users.password_hash,
      key: users.public_key,
      isComponent: users.is_service_account,
      isActive: users.is_active,
      isValid: sql<boolean>`${isValid}`,
      mustChange: users.need_update_password,
      datePassword: users.date_password_last_updated,
    })
    .from(users)
    .where(eq(users.username, username))
  const person = user && !user.isComponent ? user : undefined
  const proven =
    attempt.publicKey === undefined
      ? await isPassword(person?.source === 'local' ? person.stored : undefined, attempt.password ?? '')
      : limits.TERMINAL_PUBLIC_KEY_AUTH && isSameKey(person?.key ?? null, attempt.publicKey)
  // An agent offers every key it holds, one after the other: one that is not theirs is no guess, and nobody can guess a key.
  if (attempt.publicKey !== undefined && !proven)
    return { ok: false, error: 'public_key_unknown', reason: 'public_key_unknown' }
  if (person === undefined || !proven) {
    const times = await countFailure(ctx.db, username, remoteAddr, limits)
    await record(false, person === undefined ? 'user_not_exist' : 'password_failed')
    if (times === 0)
      return {
        ok: false,
        error: 'block_login',
        reason: 'block_login',
        params: { minutes: limits.SECURITY_LOGIN_LIMIT_TIME },
      }
    const params = { times, minutes: limits.SECURITY_LOGIN_LIMIT_TIME }
    return { ok: false, error: 'password_failed', reason: 'password_failed', params }
  }
  if (!person.isValid) {
    const reason = person.isActive ? 'user_expired' : 'user_inactive'
    await record(false, reason)
    return { ok: false, error: reason, reason }
  }
  if (attempt.publicKey === undefined) {
    // Whoever administers anything needs the administrators' kind of password.
    const isAdmin = async () => (await services.rbac.offered(person.id, 'console', ctx.language)).length > 0
    const wrong = await unlessPasswordIsGood(ctx, person, attempt, { limits, isAdmin })
    if (wrong !== undefined) {
      await record(false, 'password_expired')
      const { key: reason, params } = wrong.problem
      return {
        ok: false,
        error: reason,
        reason,
        ...(params && { params }),
        passwordRules: wrong.passwordRules,
      }
    }
  }
  await clearBlocks(ctx.db, username)
  await ctx.db.update(users).set({ last_login: new Date() }).where(eq(users.id, person.id))
  await record(true, '', 0)
  return { ok: true, user: { id: person.id, name: person.name, username: person.username } }
}

interface Known {
  id: string
  name: string
  username: string
  mustChange: boolean
  datePassword: Date | null
}

/** A password that is too old, or was set by somebody else, opens the door only together with a new one. */
async function unlessPasswordIsGood(
  ctx: Context,
  person: Known,
  attempt: Attempt,
  by: { limits: SettingValues; isAdmin: () => Promise<boolean> },
): Promise<{ problem: Problem; passwordRules: PasswordRules } | undefined> {
  const { limits: settings } = by
  const oldest = Date.now() - settings.SECURITY_PASSWORD_EXPIRATION_TIME * dayMs
  const isOld = person.datePassword !== null && person.datePassword.getTime() < oldest
  if (!isOld && !person.mustChange) return undefined
  const isAdmin = await by.isAdmin()
  const passwordRules = passwordRulesOf(settings, isAdmin)
  const { newPassword } = attempt
  if (newPassword === undefined)
    return {
      problem: { key: person.mustChange ? 'need_update_password' : 'password_expired' },
      passwordRules,
    }
  const problem = await withTransaction(ctx.db, (tx) =>
    choosePassword({ ...ctx, db: tx }, person, newPassword, { settings, isAdmin }),
  )
  return problem && { problem, passwordRules }
}
