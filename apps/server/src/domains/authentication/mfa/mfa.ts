/** Second factors: which somebody has, and whether what is shown is right. Counted wherever it is asked for. */
import type { Context } from '../../../kernel/context.ts'
import type { CodePurpose } from '../../notifications/index.ts'
import { canMail } from '../../settings/index.ts'
import { canText } from '../../sms/index.ts'
import { blockOf, tryOnce } from '../../users/index.ts'
import type { Known } from '../known.ts'
import { takeOtp } from './otp.ts'
import type { Refused, StepParts, Way } from '../steps/step.ts'

/** What of a person says which factors there are. */
type Holder = Pick<Known, 'isOtpBound' | 'hasPasskey' | 'email' | 'phone'>

/** What codes that are sent are kept as, by the factor they are of. */
const purposes = { email: 'mfa', sms: 'mfa_sms' } as const satisfies Record<string, CodePurpose>
/** Of a code that is sent to its person; undefined of what is in their hands. */
export const purposeOf = (factor: string): CodePurpose | undefined =>
  Object.hasOwn(purposes, factor) ? purposes[factor as keyof typeof purposes] : undefined

/** Which kinds of code somebody can show. The mailbox gives new passwords, too, so it is no factor of whoever has another. */
export function factorsOf({ settings }: Pick<Context, 'settings'>, person: Holder): string[] {
  const held = person.isOtpBound ? ['otp'] : []
  if (canText({ settings }) && person.phone) held.push('sms')
  if (held.length > 0) return held
  const byMail = settings.SECURITY_MFA_BY_EMAIL && canMail({ settings }) && person.email !== ''
  return byMail && !person.hasPasskey ? ['email'] : []
}

/** A code, and where it comes from. */
export interface CodeGiven {
  /** Of second factor; empty for the only one. */
  factor: string
  code: string
  way: Pick<Way, 'type' | 'remoteAddr' | 'userAgent'>
}

/** Whether too many codes were wrong. */
export async function codeBlock(
  ctx: Context,
  { username }: Pick<Known, 'username'>,
  ip: string,
): Promise<Refused | undefined> {
  const by = await blockOf(ctx.db, { username, ip }, ctx.settings, 'code')
  return by && blocked(ctx, by)
}

/**
 * Looks at a code, which is used up when it was right.
 * @param ctx not in a transaction: what is counted, and the record of it, must stay when the request fails
 * @returns why not; undefined when it was right
 */
export async function checkCode(
  ctx: Context,
  { secrets, notifications }: Pick<StepParts, 'secrets' | 'notifications'>,
  person: Holder & Pick<Known, 'id' | 'username'>,
  { factor, code, way: { type, remoteAddr, userAgent } }: CodeGiven,
): Promise<Refused | undefined> {
  const factors = factorsOf(ctx, person)
  const kind = factor || (factors[0] ?? '')
  if (!factors.includes(kind))
    return { is: 'refused', error: 'mfa_type_unavailable', reason: 'mfa_type_unavailable' }
  const who = { username: person.username, ip: remoteAddr }
  const verdict = await tryOnce(
    ctx.db,
    who,
    ctx.settings,
    () => {
      const purpose = purposeOf(kind)
      return purpose === undefined
        ? takeOtp(ctx, secrets, person.id, code)
        : notifications.codes.check(ctx, { userId: person.id, purpose, code })
    },
    'code',
  )
  if (verdict.is === 'right') return undefined
  const refused = verdict.is === 'blocked' ? blocked(ctx, verdict.by) : wrong(ctx, verdict.left)
  await ctx.emit({
    type: 'happened',
    name: 'login',
    data: {
      username: person.username,
      type,
      ip: remoteAddr,
      user_agent: userAgent,
      status: false,
      reason: verdict.is === 'wrong' ? 'mfa_failed' : refused.reason,
      backend: 'MFA',
      mfa: 2,
    },
  })
  return refused
}

function wrong({ settings }: Context, times: number): Refused {
  const minutes = settings.SECURITY_LOGIN_LIMIT_TIME
  if (times === 0) return { is: 'refused', error: 'block_mfa', reason: 'block_mfa', params: { minutes } }
  return { is: 'refused', error: 'mfa_failed', reason: 'mfa_failed', params: { times, minutes } }
}

function blocked({ settings }: Context, by: 'account' | 'address'): Refused {
  if (by === 'account')
    return {
      is: 'refused',
      error: 'block_mfa',
      reason: 'block_mfa',
      params: { minutes: settings.SECURITY_LOGIN_LIMIT_TIME },
    }
  return {
    is: 'refused',
    error: 'block_global_ip_login',
    reason: 'block_global_ip_login',
    params: { minutes: settings.SECURITY_LOGIN_IP_LIMIT_TIME },
  }
}
