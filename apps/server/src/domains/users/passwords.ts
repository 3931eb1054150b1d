/** Passwords: kept as argon2id, compared in the same time whether the person exists or not, not used again soon. */
import { availableParallelism } from 'node:os'
import { brokenRules, maxPasswordLength, passwordRulesOf, type Problem } from '@sallyport/contract'
import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type Context, displayOf } from '../../kernel/context.ts'
import { type Executor, transactionHere } from '../../kernel/database/index.ts'
import { offload } from '../../kernel/offload/index.ts'
import type * as Hashing from './hashing.ts'
import { countAsked } from './blocks.ts'
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
/** Passwords that follow the rules, chosen by one person. */
const mostChosen = 20
const chosenMinutes = 60

/** @throws Error inside a transaction, which would hold its connection for as long as hashing and the queue for it take. */
const outside = () => {
  if (transactionHere()) throw new Error('Passwords are hashed before a transaction, not inside one')
}

export async function hashPassword(password: string): Promise<string> {
  outside()
  return await hashing('hash', password, inside)
}

/**
 * Whether the password is this one; takes as long when there is none to compare with.
 * @param from the address it comes from: those at the door wait by their addresses
 */
export async function isPassword(
  stored: string | null | undefined,
  given: string,
  from: string,
): Promise<boolean> {
  outside()
  return await hashing('verify', { stored: stored ?? undefined, given }, { from })
}

/** SQL: whether the password that was compared with is still the person's. */
export const isStored = (person: { id: string; stored: string | null }): SQL =>
  sql`${and(eq(users.id, person.id), eq(users.source, 'local'), eq(users.password_hash, person.stored ?? ''))}`

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
  outside()
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

/** Puts a password into force that was hashed before the transaction. */
export async function storePassword(ctx: Context, owner: PasswordOwner, hash: string): Promise<void> {
  await ctx.db
    .update(users)
    .set({
      password_hash: hash,
      need_update_password: false,
      date_password_last_updated: new Date(),
    })
    .where(eq(users.id, owner.id))
  await passwordWasSet(ctx, owner, hash)
}

/**
 * The hash of the password a person chose, if it follows the rules; to be made before the transaction that stores it.
 * @param ctx not in a transaction: what is counted must stay when the request fails
 * @returns what is wrong with it, or its hash
 */
export async function hashChosen(
  ctx: Context,
  owner: Pick<PasswordOwner, 'id'>,
  password: string,
  isAdmin: boolean,
): Promise<{ problem: Problem } | { hash: string }> {
  if (password.length > maxPasswordLength)
    return { problem: { key: 'max_length', params: { max: maxPasswordLength } } }
  if (brokenRules(password, passwordRulesOf(ctx.settings, isAdmin)).length > 0)
    return { problem: { key: 'password_rules' } }
  // Each costs as many comparisons as there are earlier passwords.
  if ((await countAsked(ctx.db, 'chosen', owner.id, chosenMinutes)) > mostChosen)
    return { problem: { key: 'asked_too_often', params: { minutes: chosenMinutes } } }
  const count = ctx.settings.OLD_PASSWORD_HISTORY_LIMIT_COUNT
  if (await wasUsedBefore(ctx.db, owner.id, password, count))
    return { problem: { key: 'password_used_before', params: { count } } }
  return { hash: await hashPassword(password) }
}
