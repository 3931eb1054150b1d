/** Asking somebody who is signed in for the password: guessing it here is guessing it, and counts as at the door. */
import { eq } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { tryOnce, type Verdict } from './blocks.ts'
import { isPassword } from './passwords.ts'
import { users } from './tables.ts'

export interface OwnPassword {
  verdict: Verdict
  /** With the hash it was compared with, for `isStored`. */
  person: { id: string; stored: string | null }
}

/** @param ctx not in a transaction: what is counted must stay when the request fails */
export async function tryOwnPassword(ctx: Context, given: string): Promise<OwnPassword> {
  const { id, username } = callerOf(ctx)
  const person: OwnPassword['person'] = { id, stored: null }
  const verdict = await tryOnce(ctx.db, { username, ip: ctx.remoteAddr }, ctx.settings, async () => {
    // Not before it is this one's turn: the line may be long.
    const [row] = await ctx.db.select({ stored: users.password_hash }).from(users).where(eq(users.id, id))
    person.stored = row?.stored ?? null
    return await isPassword(person.stored, given)
  })
  return { verdict, person }
}
