/** Passwords that are good once and for minutes. */
import { TempToken } from '@sallyport/contract'
import { and, eq, gt, sql } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../../kernel/context.ts'
import { forbidden } from '../../../kernel/errors.ts'
import { type Served, serve } from '../../../kernel/resource/binding.ts'
import { storedRow } from '../../../kernel/resource/read.ts'
import { own } from '../../../kernel/resource/rows.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import { users } from '../../users/index.ts'
import { tempTokens } from '../tables.ts'
import { hashOf, newToken } from './tokens.ts'

const lifeSeconds = 300
const length = 36
const isGood = and(eq(tempTokens.verified, false), gt(tempTokens.date_expired, sql`now()`))

export const tempTokenServed = (secrets: Secrets): Served =>
  serve(TempToken, {
    table: tempTokens,
    rows: own(tempTokens.user_id),
    computed: {
      username: sql`(select ${users.username} from ${users} where ${users.id} = ${tempTokens.user_id})`,
      secret: sql`case when ${isGood} then ${tempTokens.sealed} else '' end`,
      is_valid: sql`${isGood}`,
    },
    present: (_ctx, row) => (row.secret ? { ...row, secret: secrets.unseal(row.secret) } : row),
    calls: {
      create: async (ctx, { served }) => {
        if (!ctx.settings.AUTH_TEMP_TOKEN) throw forbidden('temp_token_off')
        const secret = newToken().slice(0, length)
        const caller = callerOf(ctx)
        const [made] = await ctx.db
          .insert(tempTokens)
          .values({
            user_id: caller.id,
            sealed: secrets.seal(secret),
            secret_hash: hashOf(secret),
            date_expired: sql`now() + ${lifeSeconds} * interval '1 second'`,
          })
          .returning({ id: tempTokens.id })
        const row = made && (await storedRow(served, ctx, eq(tempTokens.id, made.id)))
        if (row === undefined) throw new Error('a new temporary password was not found')
        await ctx.emit({
          type: 'happened',
          name: 'operated',
          data: { action: 'create', resource_type: 'authentication.temptoken', resource: displayOf(caller) },
        })
        return row
      },
      expire: async (ctx, { row }) => {
        await ctx.db
          .update(tempTokens)
          .set({ date_expired: sql`least(now(), ${tempTokens.date_expired})`, date_updated: sql`now()` })
          .where(eq(tempTokens.id, row.id))
      },
    },
  })

/** Whether a text may be a temporary password at all. */
export const mayBeTempToken = ({ settings }: Pick<Context, 'settings'>, given: string): boolean =>
  settings.AUTH_TEMP_TOKEN && given.length === length

/** Whether a text is a temporary password of this person; it is used up by it, whoever else shows it at the same time. */
export async function takeTempToken(ctx: Context, userId: string, given: string): Promise<boolean> {
  if (!mayBeTempToken(ctx, given)) return false
  const { db } = ctx
  const taken = await db
    .update(tempTokens)
    .set({ verified: true, date_verified: sql`now()`, date_updated: sql`now()` })
    .where(and(eq(tempTokens.user_id, userId), eq(tempTokens.secret_hash, hashOf(given)), isGood))
    .returning({ id: tempTokens.id })
  return taken.length > 0
}
