/** A person, as sign-ins are judged by. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { passkeys } from './tables.ts'
import { accountSql, isValid, users } from '../users/index.ts'

export type Known = NonNullable<Awaited<ReturnType<typeof known>>>

/** Components have no passwords, and are nobody here. */
async function known(ctx: Context, who: SQL) {
  const [person] = await ctx.db
    .select({
      id: users.id,
      name: users.name,
      username: users.username,
      email: users.email,
      phone: users.phone,
      source: users.source,
      stored: users.password_hash,
      key: users.public_key,
      isActive: users.is_active,
      isValid: sql<boolean>`${isValid}`,
      mustChange: users.need_update_password,
      datePassword: users.date_password_last_updated,
      isMfaEnabled: sql<boolean>`${accountSql.mfa_enabled}`,
      isMfaForced: sql<boolean>`${accountSql.mfa_force_enabled}`,
      // Columns of a query on one table are written without it.
      hasPasskey: sql<boolean>`exists (select 1 from ${passkeys} as own where own.user_id = ${users}.id)`,
      isOtpBound: sql<boolean>`${accountSql.is_otp_secret_key_bound}`,
    })
    .from(users)
    .where(and(who, eq(users.is_service_account, false)))
  return person
}

export const knownAs = (ctx: Context, username: string) => known(ctx, eq(users.username, username))
export const knownBy = (ctx: Context, id: string) => known(ctx, eq(users.id, id))
