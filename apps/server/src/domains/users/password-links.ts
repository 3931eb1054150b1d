/** Links by which somebody sets a password: mailed, good once and for an hour, and only as long as the account is what it was. */
import { signInPages } from '@sallyport/contract/addresses'
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, gt, inArray, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { isValid } from './service.ts'
import { passwordLinks, users } from './tables.ts'

export const linkHours = 1
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** A page of this site as a mail names it. The site is what the settings say: what a request says of its host leads elsewhere. */
export const pageOf = ({ settings }: Pick<Context, 'settings'>, path: string) =>
  `${settings.SITE_URL.replace(/\/+$/, '')}${path}`

/** The address of a new link; those before it are good no more. */
export async function makePasswordLink(
  ctx: Pick<Context, 'db' | 'settings'>,
  userId: string,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await dropPasswordLinks(ctx.db, [userId])
  await ctx.db.insert(passwordLinks).values({
    token_hash: hashOf(token),
    user_id: userId,
    date_expired: sql`now() + ${linkHours} * interval '1 hour'`,
  })
  return pageOf(ctx, `${signInPages.resetPassword}?token=${token}`)
}

/** Whose password the link sets; undefined where it is no longer good. */
export async function holderOfLink(db: Executor, token: string) {
  const [holder] = await db
    .select({ id: users.id, name: users.name, username: users.username })
    .from(passwordLinks)
    .innerJoin(users, eq(users.id, passwordLinks.user_id))
    .where(
      and(
        eq(passwordLinks.token_hash, hashOf(token)),
        gt(passwordLinks.date_expired, sql`now()`),
        eq(users.source, 'local'),
        eq(users.is_service_account, false),
        isValid,
      ),
    )
  return holder
}

/** Uses it up; of two who use it at once, one does. */
export async function useLink(db: Executor, token: string): Promise<boolean> {
  const used = await db
    .delete(passwordLinks)
    .where(eq(passwordLinks.token_hash, hashOf(token)))
    .returning({ id: passwordLinks.user_id })
  return used.length > 0
}

/** The links of people whose password, address or account is another now. */
export async function dropPasswordLinks(db: Executor, userIds: readonly string[]): Promise<void> {
  if (userIds.length > 0) await db.delete(passwordLinks).where(inArray(passwordLinks.user_id, [...userIds]))
}
