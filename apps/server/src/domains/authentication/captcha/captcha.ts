/**
 * Captchas: a few digits, seen or heard, that programs which guess passwords at the page have trouble to read. Nothing is kept of one before it
 * is answered: its key tells the servers, and nobody else, which digits they are, since when, and which browser asked.
 */
import { randomInt } from 'node:crypto'
import type { SettingValues } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../kernel/context.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { expectedCsrf } from '../cookies.ts'
import { spentCaptchas } from '../tables.ts'
import { hashOf, isSame } from '../tokens/tokens.ts'

type Sealing = Pick<Secrets, 'seal' | 'unseal'>

const digitCount = 4
/** Few enough to count by ear. */
const highestDigit = 6
const lifeSeconds = 300
const longestKey = 256

/** Whatever else the page asks for beside the password: one thing at most, in this order. */
export function askedBeside(settings: SettingValues): 'challenge' | 'mfa' | 'captcha' | undefined {
  if (settings.SECURITY_LOGIN_CHALLENGE_ENABLED) return 'challenge'
  // Of those who need no second factor none can be asked.
  if (settings.SECURITY_MFA_IN_LOGIN_PAGE && settings.SECURITY_MFA_AUTH === 1) return 'mfa'
  return settings.SECURITY_LOGIN_CAPTCHA_ENABLED ? 'captcha' : undefined
}

/** A browser is known by the token its forms repeat; what is derived from that tells nothing of it. */
const browserOf = (request: FastifyRequest) => hashOf(`captcha ${expectedCsrf(request) ?? ''}`).slice(0, 32)

/** @returns the key of a new one, for this browser alone */
export function newCaptcha(secrets: Sealing, request: FastifyRequest): string {
  const digits = Array.from({ length: digitCount }, () => randomInt(1, highestDigit + 1)).join('')
  return secrets.seal(['captcha', digits, Date.now(), browserOf(request)].join(' '))
}

/** @returns undefined for a key that is none of ours, or too old; `text` is the same however the key is written */
export function digitsOf(
  secrets: Sealing,
  key: string,
): { digits: string; browser: string; text: string } | undefined {
  if (key.length > longestKey) return undefined
  try {
    const text = secrets.unseal(key)
    const [kind, digits = '', since, browser = ''] = text.split(' ')
    const ageMs = Math.abs(Date.now() - Number(since))
    return kind === 'captcha' && ageMs < lifeSeconds * 1000 ? { digits, browser, text } : undefined
  } catch {
    return undefined
  }
}

/**
 * Whether the digits are right; a captcha is used up by any answer.
 * @param ctx not in a transaction: what is used up stays so when the request fails
 */
export async function isRightCaptcha(
  ctx: Context,
  secrets: Sealing,
  request: FastifyRequest,
  { captcha_0: key = '', captcha_1: answer = '' }: { captcha_0?: string; captcha_1?: string },
): Promise<boolean> {
  const told = digitsOf(secrets, key)
  if (told === undefined) return false
  const first = await ctx.db
    .insert(spentCaptchas)
    .values({
      key_hash: hashOf(told.text),
      date_expired: sql`now() + ${2 * lifeSeconds} * interval '1 second'`,
    })
    .onConflictDoNothing()
    .returning({ hash: spentCaptchas.key_hash })
  // Keyboards of some languages write digits of another width.
  const typed = answer.normalize('NFKC').replaceAll(/\s/g, '')
  return first.length > 0 && isSame(told.browser, browserOf(request)) && isSame(typed, told.digits)
}
