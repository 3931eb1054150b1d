/** A person's authenticator app, and the codes for the day it is lost. */
import { randomBytes } from 'node:crypto'
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm'
import type { Context } from '../../../kernel/context.ts'
import type { Executor } from '../../../kernel/database/index.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { users } from '../../users/index.ts'
import { recoveryCodes } from '../tables.ts'
import { hashOf } from '../tokens/tokens.ts'
import { base32, isCode, stepOf } from './totp.ts'

const recoveryCodeCount = 10
const recoveryCodeBytes = 10

/** Whether a code is the app's of now, or a recovery code; either is used up by it, whoever else shows it at the same time. */
export async function takeOtp(
  ctx: Context,
  secrets: Secrets,
  userId: string,
  given: string,
): Promise<boolean> {
  const code = given.replaceAll(/[\s-]/g, '').toUpperCase()
  if (!isCode(code)) return await takeRecoveryCode(ctx.db, userId, code)
  const [person] = await ctx.db.select({ sealed: users.otp_secret }).from(users).where(eq(users.id, userId))
  const sealed = person?.sealed ?? undefined
  if (sealed === undefined) return false
  const step = stepOf(secrets.unseal(sealed), code, ctx.settings.OTP_VALID_WINDOW)
  if (step === undefined) return false
  const isNewer = or(isNull(users.otp_last_step), lt(users.otp_last_step, step))
  const used = await ctx.db
    .update(users)
    .set({ otp_last_step: step })
    .where(and(eq(users.id, userId), eq(users.otp_secret, sealed), isNewer))
    .returning({ id: users.id })
  return used.length > 0
}

async function takeRecoveryCode(db: Executor, userId: string, code: string): Promise<boolean> {
  const used = await db
    .update(recoveryCodes)
    .set({ date_used: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.user_id, userId),
        eq(recoveryCodes.code_hash, hashOf(code)),
        isNull(recoveryCodes.date_used),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return used.length > 0
}

/**
 * Binds an app that has shown its code of `step`.
 * @returns the recovery codes; undefined when there is one already
 */
export async function bindOtp(
  db: Executor,
  secrets: Secrets,
  userId: string,
  { secret, step }: { secret: string; step: number },
): Promise<string[] | undefined> {
  const bound = await db
    .update(users)
    .set({ otp_secret: secrets.seal(secret), otp_last_step: step })
    .where(and(eq(users.id, userId), isNull(users.otp_secret)))
    .returning({ id: users.id })
  return bound.length === 0 ? undefined : await renewRecoveryCodes(db, userId)
}

export async function unbindOtp(db: Executor, userId: string): Promise<void> {
  await db.update(users).set({ otp_secret: null, otp_last_step: null }).where(eq(users.id, userId))
  await dropRecoveryCodes(db, userId)
}

export async function dropRecoveryCodes(db: Executor, userId: string): Promise<void> {
  await db.delete(recoveryCodes).where(eq(recoveryCodes.user_id, userId))
}

/** In groups of four letters and digits, as they are read from paper. */
export async function renewRecoveryCodes(db: Executor, userId: string): Promise<string[]> {
  await dropRecoveryCodes(db, userId)
  const codes = Array.from({ length: recoveryCodeCount }, () => base32(randomBytes(recoveryCodeBytes)))
  await db.insert(recoveryCodes).values(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) })))
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'))
}

export async function recoveryCodesLeft(db: Executor, userId: string): Promise<number> {
  const left = and(eq(recoveryCodes.user_id, userId), isNull(recoveryCodes.date_used))
  return await db.$count(recoveryCodes, left)
}
