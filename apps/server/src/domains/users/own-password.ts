/** Asking somebody who is signed in for the password: guessing it here is guessing it, and counts as at the door. */
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { callerOf, type Context } from '../../kernel/context.ts'
import { tryOnce, type Verdict } from './blocks.ts'
import { isPassword } from './passwords.ts'
import { users } from './tables.ts'

export interface OwnPassword {
  verdict: Verdict
  /** With the hash it was compared with, for `isStored`. */
  person: { id: string; stored: string | null }
}

/**
 * @param ctx not in a transaction: what is counted, and the record of it, must stay when the request fails
 * @param elsewhere whether it is right, of somebody whose password is not kept here
 */
export async function tryOwnPassword(
  ctx: Context,
  { headers }: Pick<FastifyRequest, 'headers'>,
  given: string,
  elsewhere?: (username: string) => Promise<boolean>,
): Promise<OwnPassword> {
  const { id, username } = callerOf(ctx)
  const person: OwnPassword['person'] = { id, stored: null }
  const verdict = await tryOnce(ctx.db, { username, ip: ctx.remoteAddr }, ctx.settings, async () => {
    if (elsewhere) return await elsewhere(username)
    // Not before it is this one's turn: the line may be long.
    const [row] = await ctx.db.select({ stored: users.password_hash }).from(users).where(eq(users.id, id))
    person.stored = row?.stored ?? null
    return await isPassword(person.stored, given, ctx.remoteAddr)
  })
  if (verdict.is !== 'right')
    await ctx.emit({
      type: 'happened',
      name: 'login',
      data: {
        username,
        type: callerOf(ctx).by === 'session' ? 'W' : 'U',
        ip: ctx.remoteAddr,
        user_agent: headers['user-agent'] ?? '',
        status: false,
        reason: reasonOf(verdict),
        backend: 'Confirm',
        mfa: 2,
      },
    })
  return { verdict, person }
}

const reasonOf = (verdict: Verdict) =>
  verdict.is !== 'blocked'
    ? 'password_failed'
    : verdict.by === 'account'
      ? 'block_login'
      : 'block_global_ip_login'
