/** Whether somebody may come in (auth.md sections 1 and 2). Says the same, in the same time, whether the name or the password is wrong. */
import {
  type ErrorKey,
  type Params,
  type PasswordRules,
  passwordRulesOf,
  type Problem,
} from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import {
  blockOf,
  hashChosen,
  isPassword,
  isSameKey,
  isValid,
  storePassword,
  tryOnce,
  type UsersServices,
  users,
  type Verdict,
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
  const limits = ctx.settings
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
  const who = { username, ip: remoteAddr }
  const { publicKey } = attempt
  // Nobody guesses a key, so none counts.
  const byKey = async (key: string): Promise<Verdict> => {
    const by = await blockOf(ctx.db, who, limits)
    if (by !== undefined) return { is: 'blocked', by }
    const isRight = limits.TERMINAL_PUBLIC_KEY_AUTH && isSameKey(person?.key ?? null, key)
    return isRight ? { is: 'right' } : { is: 'wrong', left: limits.SECURITY_LOGIN_LIMIT_COUNT }
  }
  const verdict =
    publicKey === undefined
      ? await tryOnce(ctx.db, who, limits, () =>
          isPassword(person?.source === 'local' ? person.stored : undefined, attempt.password ?? ''),
        )
      : await byKey(publicKey)
  if (verdict.is === 'blocked') {
    const error = verdict.by === 'account' ? 'block_login' : 'block_global_ip_login'
    await record(false, error)
    const minutes =
      verdict.by === 'account' ? limits.SECURITY_LOGIN_LIMIT_TIME : limits.SECURITY_LOGIN_IP_LIMIT_TIME
    return { ok: false, error, reason: error, params: { minutes } }
  }
  // An agent offers every key it holds, one after the other: one that is not theirs is no failed sign-in.
  if (publicKey !== undefined && verdict.is === 'wrong')
    return { ok: false, error: 'public_key_unknown', reason: 'public_key_unknown' }
  if (person === undefined || verdict.is === 'wrong') {
    await record(false, person === undefined ? 'user_not_exist' : 'password_failed')
    const minutes = limits.SECURITY_LOGIN_LIMIT_TIME
    const times = verdict.is === 'wrong' ? verdict.left : 0
    if (times === 0) return { ok: false, error: 'block_login', reason: 'block_login', params: { minutes } }
    return {
      ok: false,
      error: 'password_failed',
      reason: 'password_failed',
      params: { times, minutes },
    }
  }
  if (!person.isValid) {
    const reason = person.isActive ? 'user_expired' : 'user_inactive'
    await record(false, reason)
    return { ok: false, error: reason, reason }
  }
  if (attempt.publicKey === undefined) {
    // Whoever administers anything needs the administrators' kind of password.
    const isAdmin = async () => (await services.rbac.offered(person.id, 'console', ctx.language)).length > 0
    const wrong = await unlessPasswordIsGood(ctx, person, attempt, isAdmin)
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
  mayAdminister: () => Promise<boolean>,
): Promise<{ problem: Problem; passwordRules: PasswordRules } | undefined> {
  const { settings } = ctx
  const oldest = Date.now() - settings.SECURITY_PASSWORD_EXPIRATION_TIME * dayMs
  const isOld = person.datePassword !== null && person.datePassword.getTime() < oldest
  if (!isOld && !person.mustChange) return undefined
  const isAdmin = await mayAdminister()
  const passwordRules = passwordRulesOf(settings, isAdmin)
  const { newPassword } = attempt
  if (newPassword === undefined)
    return {
      problem: { key: person.mustChange ? 'need_update_password' : 'password_expired' },
      passwordRules,
    }
  const chosen = await hashChosen(ctx, person, newPassword, isAdmin)
  if ('problem' in chosen) return { ...chosen, passwordRules }
  await withTransaction(ctx.db, (tx) => storePassword(ctx.within(tx), person, chosen.hash))
  return undefined
}
