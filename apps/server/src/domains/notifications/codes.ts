/** Codes by e-mail and SMS: who reads the mailbox, or holds the phone, proves it. Good once, for as long as the settings say, and for a few guesses. */
import { randomInt, timingSafeEqual } from 'node:crypto'
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { mailCodes } from './tables.ts'

/** What a code is for, and by what it goes: one that was asked for here is good for nothing there. */
export type CodePurpose = 'mfa' | 'mfa_sms' | 'password'
/** How a code of each purpose reaches its person, in the transaction of the context; nobody waits for it. */
export type SendCode = (
  ctx: Context,
  userId: string,
  told: { code: string; seconds: number },
) => Promise<void>

export interface Codes {
  /** Sends a new code, unless the one before is still good: then it answers how many seconds to wait. The code is sent beside the request. */
  send(
    ctx: Context,
    to: { userId: string; purpose: CodePurpose },
  ): Promise<{ waitSeconds: number } | undefined>
  /**
   * Whether it is the code that was sent: the guess counts before it is looked at, and the right one is used up.
   * @param ctx not in a transaction: what is counted must stay when the request fails
   */
  check(ctx: Context, given: { userId: string; purpose: CodePurpose; code: string }): Promise<boolean>
  /** What was sent to where they are no longer is good for nothing. The next is waited for, for a minute at most. */
  drop(executor: Executor, userIds: readonly string[]): Promise<void>
}

const digits = 6
const maxTries = 5
/** Whoever changes their own phone again and again has no more texts sent by it. */
const waitSeconds = 60

export function createCodes(
  { secrets }: Pick<Ground, 'secrets'>,
  by: Readonly<Record<CodePurpose, SendCode>>,
): Codes {
  return {
    async send(ctx, { userId, purpose }) {
      const seconds = ctx.settings.VERIFY_CODE_TTL
      const code = String(randomInt(10 ** digits)).padStart(digits, '0')
      const fresh = {
        code: secrets.seal(code),
        tries: 0,
        date_expired: sql`now() + ${seconds} * interval '1 second'`,
      }
      const [made] = await ctx.db
        .insert(mailCodes)
        .values({ user_id: userId, purpose, ...fresh })
        .onConflictDoUpdate({
          target: [mailCodes.user_id, mailCodes.purpose],
          set: fresh,
          setWhere: lte(mailCodes.date_expired, sql`now()`),
        })
        .returning({ id: mailCodes.user_id })
      if (made) {
        await by[purpose](ctx, userId, { code, seconds })
        return undefined
      }
      const [alive] = await ctx.db
        .select({ seconds: sql<number>`ceil(extract(epoch from ${mailCodes.date_expired} - now()))::int` })
        .from(mailCodes)
        .where(and(eq(mailCodes.user_id, userId), eq(mailCodes.purpose, purpose)))
      return { waitSeconds: Math.max(1, alive?.seconds ?? 1) }
    },

    async check(ctx, { userId, purpose, code }) {
      const own = and(eq(mailCodes.user_id, userId), eq(mailCodes.purpose, purpose))
      const [counted] = await ctx.db
        .update(mailCodes)
        .set({ tries: sql`${mailCodes.tries} + 1` })
        .where(and(own, gt(mailCodes.date_expired, sql`now()`), sql`${mailCodes.tries} < ${maxTries}`))
        .returning({ code: mailCodes.code })
      if (counted === undefined) return false
      const expected = Buffer.from(secrets.unseal(counted.code))
      const given = Buffer.from(code.trim())
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
      // Of two who send it at once, one is let in. The row stays, so that the next code is waited for.
      const [used] = await ctx.db
        .update(mailCodes)
        .set({ code: '', tries: maxTries })
        .where(and(own, eq(mailCodes.code, counted.code)))
        .returning({ id: mailCodes.user_id })
      return used !== undefined
    },

    async drop(executor, userIds) {
      if (userIds.length === 0) return
      const soon = sql`now() + ${waitSeconds} * interval '1 second'`
      await executor
        .update(mailCodes)
        .set({ code: '', tries: maxTries, date_expired: sql`least(${mailCodes.date_expired}, ${soon})` })
        .where(inArray(mailCodes.user_id, [...userIds]))
    },
  }
}
