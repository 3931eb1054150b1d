/** The first proof of who somebody is. Says the same, in the same time, whether the name or the password is wrong. */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { type Directory, isCheckedThere, isUnanswered } from '../directory/index.ts'
import { blockOf, isPassword, isSameKey, isStored, tryOnce, users, type Verdict } from '../users/index.ts'
import { type Known, knownAs } from './known.ts'
import type { ProvenBy, Refused } from './steps/step.ts'
import { mayBeTempToken, takeTempToken } from './tokens/temp-tokens.ts'
import { hashOf } from './tokens/tokens.ts'

export interface Credentials {
  username: string
  password: string | undefined
  /** Proven by a component: it has seen the signature. */
  publicKey: string | undefined
}

/** What was proven is kept by its hash: it counts only while that is still the person's. */
export function proofOf(provenBy: ProvenBy, { stored, key }: Pick<Known, 'stored' | 'key'>): string {
  const proofs = {
    Password: stored,
    'LDAP/AD': null,
    'SSH Key': key,
    'Temporary password': null,
    Passkey: null,
  }
  return hashOf(proofs[provenBy] ?? '')
}

/** SQL: whether what was proven is still the person's. */
export function stillProves(provenBy: ProvenBy, person: Known): SQL | undefined {
  if (provenBy === 'Password') return isStored(person)
  const isThem = eq(users.id, person.id)
  if (provenBy === 'LDAP/AD') return and(isThem, eq(users.source, 'ldap'))
  return provenBy === 'SSH Key' ? and(isThem, eq(users.public_key, person.key ?? '')) : isThem
}

/** Whether the directory was asked, which takes longer, would tell strangers whose names are known here. */
const answerMs = 400

export interface Judged {
  provenBy: ProvenBy
  person: Known | undefined
  refused: Refused | undefined
  /** What the login log is told of it; nothing of a key that is not theirs. */
  reason: string | undefined
}

/** @param ctx not in a transaction: what is counted must stay when the request fails */
export async function judge(
  ctx: Context,
  directory: Directory,
  credentials: Credentials,
  ip: string,
): Promise<Judged> {
  const pace = ctx.settings.AUTH_LDAP ? sleep(answerMs) : undefined
  const { verdict, person, provenBy } = await look(ctx, directory, credentials, ip)
  if (verdict.is !== 'right') await pace
  const { SECURITY_LOGIN_LIMIT_TIME: minutes, SECURITY_LOGIN_IP_LIMIT_TIME: addressMinutes } = ctx.settings
  const refusal = (error: Refused['reason'], params: Refused['params'] = {}): Refused => ({
    is: 'refused',
    error,
    reason: error,
    params,
  })
  if (verdict.is === 'unanswered') {
    const { code, params } = verdict.error
    return { provenBy, person, refused: refusal(code, params), reason: code }
  }
  if (verdict.is === 'blocked') {
    const refused =
      verdict.by === 'account'
        ? refusal('block_login', { minutes })
        : refusal('block_global_ip_login', { minutes: addressMinutes })
    return { provenBy, person, refused, reason: refused.error }
  }
  // An agent offers every key it holds, one after the other: one that is not theirs is no failed sign-in.
  if (credentials.publicKey !== undefined && verdict.is === 'wrong')
    return { provenBy, person, refused: refusal('public_key_unknown'), reason: undefined }
  if (person !== undefined && verdict.is === 'right')
    return { provenBy, person, refused: undefined, reason: undefined }
  const times = verdict.is === 'wrong' ? verdict.left : 0
  return {
    provenBy,
    person,
    refused:
      times === 0 ? refusal('block_login', { minutes }) : refusal('password_failed', { times, minutes }),
    reason: person === undefined ? 'user_not_exist' : 'password_failed',
  }
}

/** The directory has not said whether the password is right, or its person cannot be made a user. */
interface Unanswered {
  is: 'unanswered'
  error: ApiError
}

async function look(
  ctx: Context,
  directory: Directory,
  { username, password, publicKey }: Credentials,
  ip: string,
): Promise<{ verdict: Verdict | Unanswered; person: Known | undefined; provenBy: ProvenBy }> {
  const { settings: limits } = ctx
  const who = { username, ip }
  let person: Known | undefined
  let provenBy: ProvenBy = publicKey === undefined ? 'Password' : 'SSH Key'
  if (publicKey === undefined) {
    const given = { username, password: password ?? '' }
    let unanswered: Unanswered | undefined
    const verdict = await tryOnce(ctx.db, who, limits, async () => {
      // Not before it is this one's turn: the line may be long.
      person = await knownAs(ctx, username)
      if (await isPassword(person?.source === 'local' ? person.stored : undefined, given.password, ip))
        return true
      if (person !== undefined && (await takeTempToken(ctx, person.id, given.password))) {
        provenBy = 'Temporary password'
        return true
      }
      if (!isCheckedThere(ctx, person)) return false
      provenBy = 'LDAP/AD'
      try {
        if (!(await directory.isPassword(ctx, person, given))) return false
      } catch (error) {
        const wasCompared = person !== undefined && mayBeTempToken(ctx, given.password)
        if (!wasCompared || !isUnanswered(error)) throw error
        // With temporary passwords it was: a guess, and counted.
        unanswered = { is: 'unanswered', error }
        return false
      }
      // Who came in for the first time is known now.
      person ??= await knownAs(ctx, username)
      return person?.source === 'ldap'
    }).catch((error: unknown): Unanswered => {
      if (isUnanswered(error)) return { is: 'unanswered', error }
      throw error
    })
    return { verdict: unanswered ?? verdict, person, provenBy }
  }
  // Nobody guesses a key, so none counts.
  const by = await blockOf(ctx.db, who, limits)
  if (by !== undefined) return { verdict: { is: 'blocked', by }, person, provenBy }
  person = await knownAs(ctx, username)
  const isRight = limits.TERMINAL_PUBLIC_KEY_AUTH && isSameKey(person?.key ?? null, publicKey)
  return {
    verdict: isRight ? { is: 'right' } : { is: 'wrong', left: limits.SECURITY_LOGIN_LIMIT_COUNT },
    person,
    provenBy,
  }
}
