/** Passwords: kept as argon2id, compared in the same time whether the person exists or not, not used again soon. */
import { availableParallelism } from 'node:os'
import { brokenRules, maxPasswordLength, passwordRulesOf, type Problem } from '@sallyport/contract'
import { desc, eq } from 'drizzle-orm'
import { type Context, displayOf } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { offload } from '../../kernel/offload/index.ts'
import type * as Hashing from './hashing.ts'
import { passwordHistory, users } from './tables.ts'

/** However many stand at the door, there is a core left for those who are in. A full queue is some 3 s long. */
const hashing = offload<typeof Hashing>(new URL('hashing.ts', import.meta.url), {
  threads: Math.min(4, Math.max(1, availableParallelism() - 1)),
  maxWaiting: 100,
  budgetMs: 10_000,
  memoryMiB: 64,
})
/** Whoever sets a password is in already: they do not queue with those at the door. */
const inside = { first: true }

export const hashPassword = (password: string) => hashing('hash', password, inside)

/** Whether the password is this one; takes as long when there is none to compare with. */
export const isPassword = (stored: string | null | undefined, given: string): Promise<boolean> =>
  hashing('verify', { stored: stored ?? undefined, given })

/** Whether it is one of the last `count` passwords. */
async function wasUsedBefore(
  executor: Executor,
  userId: string,
  password: string,
  count: number,
): Promise<boolean> {
  // Each comparison takes some 20 ms on purpose, so however high the setting, no more are made.
  const limit = Math.min(count, 24)
  if (limit === 0) return false
  const earlier = await executor
    .select({ stored: passwordHistory.password_hash })
    .from(passwordHistory)
    .where(eq(passwordHistory.user_id, userId))
    .orderBy(desc(passwordHistory.date_created))
    .limit(limit)
  for (const { stored } of earlier)
    if (await hashing('verify', { stored, given: password }, inside)) return true
  return false
}

export interface PasswordOwner {
  id: string
  name: string
  username: string
}

/** Remembers a password that was just stored, and tells it: the books are kept, and other sign-ins of the person end. */
export async function passwordWasSet(ctx: Context, owner: PasswordOwner, stored: string): Promise<void> {
  await ctx.db.insert(passwordHistory).values({ user_id: owner.id, password_hash: stored })
  await ctx.emit({
    type: 'happened',
    name: 'password_changed',
    data: {
      user_id: owner.id,
      user: displayOf(owner),
      // Nobody is signed in yet when somebody replaces an expired password.
      change_by: displayOf(ctx.identity ?? owner),
      remote_addr: ctx.remoteAddr,
    },
  })
}

/** Sets the password of an account; no rule applies to what an administrator sets. */
export async function setPassword(ctx: Context, owner: PasswordOwner, password: string): Promise<void> {
  const stored = await hashPassword(password)
  await ctx.db
    .update(users)
    .set({
      password_hash: stored,
      need_update_password: false,
      date_password_last_updated: new Date(),
    })
    .where(eq(users.id, owner.id))
  await passwordWasSet(ctx, owner, stored)
}

/**
 * Sets the password a person chose, if it follows the rules.
 * @returns what is wrong with it; undefined when it is in force.
 */
export async function choosePassword(
  ctx: Context,
  owner: PasswordOwner,
  password: string,
  isAdmin: boolean,
): Promise<Problem | undefined> {
  if (password.length > maxPasswordLength) return { key: 'max_length', params: { max: maxPasswordLength } }
  if (brokenRules(password, passwordRulesOf(ctx.settings, isAdmin)).length > 0)
    return { key: 'password_rules' }
  const count = ctx.settings.OLD_PASSWORD_HISTORY_LIMIT_COUNT
  if (await wasUsedBefore(ctx.db, owner.id, password, count))
    return { key: 'password_used_before', params: { count } }
  await setPassword(ctx, owner, password)
  return undefined
}
