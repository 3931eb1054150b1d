/** Whether somebody may come in (auth.md sections 1 and 2). Says the same, in the same time, whether the name or the password is wrong. */
import {
  type ErrorKey,
  type Params,
  type PasswordRules,
  passwordRulesOf,
  type Problem,
} from '@sallyport/contract'
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import {
  blockOf,
  hashChosen,
  isPassword,
  isSameKey,
  isStored,
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

export type Outcome<SignIn> =
  | { ok: true; userId: string; signIn: SignIn }
  | {
      ok: false
      error: string
      reason: ErrorKey
      params?: Params
      /** What the new password must be like, where one is asked for. */
      passwordRules?: PasswordRules
    }

const dayMs = 86_400_000

/**
 * @param store stores the sign-in, in a transaction that holds the person's row: what was proven is asked for once more there, so that
 * none begins with a password that was replaced, or of somebody who was disabled, while the attempt was looked at
 */
export async function trySignIn<SignIn>(
  ctx: Context,
  services: UsersServices,
  attempt: Attempt,
  store: (ctx: Context, userId: string) => Promise<SignIn>,
): Promise<Outcome<SignIn>> {
  const limits = ctx.settings
  const { username, remoteAddr } = attempt
  const backend = attempt.publicKey === undefined ? 'Password' : 'SSH Key'
  const record = (status: boolean, reason: string, mfa: 0 | 1 | 2 = 2, where = ctx) =>
    where.emit({
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
  const { publicKey } = attempt
  const { verdict, person } = await judge(ctx, attempt)
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
  const proven =
    publicKey === undefined
      ? isStored(person)
      : sql`${eq(users.id, person.id)} and ${users.public_key} = ${person.key}`
  let replacement: string | undefined
  if (publicKey === undefined) {
    // Whoever administers anything needs the administrators' kind of password.
    const { id } = person
    const isAdmin = async () => (await services.rbac.offered(id, 'console', ctx.language)).length > 0
    const chosen = await replacementOf(ctx, person, attempt, isAdmin)
    if (chosen !== undefined && 'problem' in chosen) {
      await record(false, 'password_expired')
      const { key: reason, params } = chosen.problem
      return {
        ok: false,
        error: reason,
        reason,
        ...(params && { params }),
        passwordRules: chosen.passwordRules,
      }
    }
    replacement = chosen?.hash
  }
  const { id } = person
  const owner = { id, name: person.name, username: person.username }
  const stored = await withTransaction(ctx.db, async (tx) => {
    const here = ctx.within(tx)
    const still = await tx
      .update(users)
      .set({ last_login: new Date() })
      .where(and(proven, isValid))
      .returning({ id: users.id })
    if (still.length === 0) return undefined
    if (replacement !== undefined) await storePassword(here, owner, replacement)
    const signIn = await store(here, id)
    await record(true, '', 0, here)
    return { signIn }
  })
  // Somebody changed the account meanwhile: what it is like now decides.
  if (stored === undefined) return await trySignIn(ctx, services, attempt, store)
  return { ok: true, userId: id, signIn: stored.signIn }
}

interface Judged {
  verdict: Verdict
  /** Who the name stands for, where it was looked up. */
  person: Known | undefined
}

async function judge(ctx: Context, { username, remoteAddr, password, publicKey }: Attempt): Promise<Judged> {
  const { settings: limits } = ctx
  const who = { username, ip: remoteAddr }
  let person: Known | undefined
  if (publicKey === undefined) {
    const verdict = await tryOnce(ctx.db, who, limits, async () => {
      // Not before it is this one's turn: the line may be long.
      person = await knownAs(ctx, username)
      return await isPassword(person?.source === 'local' ? person.stored : undefined, password ?? '')
    })
    return { verdict, person }
  }
  // Nobody guesses a key, so none counts.
  const by = await blockOf(ctx.db, who, limits)
  if (by !== undefined) return { verdict: { is: 'blocked', by }, person }
  person = await knownAs(ctx, username)
  const isRight = limits.TERMINAL_PUBLIC_KEY_AUTH && isSameKey(person?.key ?? null, publicKey)
  return {
    verdict: isRight ? { is: 'right' } : { is: 'wrong', left: limits.SECURITY_LOGIN_LIMIT_COUNT },
    person,
  }
}

/** A person, as sign-ins are judged by; components have no passwords. */
async function knownAs(ctx: Context, username: string) {
  const [person] = await ctx.db
    .select({
      id: users.id,
      name: users.name,
      username: users.username,
      source: users.source,
      stored: users.password_hash,
      key: users.public_key,
      isActive: users.is_active,
      isValid: sql<boolean>`${isValid}`,
      mustChange: users.need_update_password,
      datePassword: users.date_password_last_updated,
    })
    .from(users)
    .where(and(eq(users.username, username), eq(users.is_service_account, false)))
  return person
}
type Known = NonNullable<Awaited<ReturnType<typeof knownAs>>>

/**
 * A password that is too old, or was set by somebody else, opens the door only together with a new one.
 * @returns the hash of the new one, what is wrong with it, or undefined where none is needed
 */
async function replacementOf(
  ctx: Context,
  person: Known,
  attempt: Attempt,
  mayAdminister: () => Promise<boolean>,
): Promise<{ problem: Problem; passwordRules: PasswordRules } | { hash: string } | undefined> {
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
  return 'problem' in chosen ? { ...chosen, passwordRules } : chosen
}
