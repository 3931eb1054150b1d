/** Sign-ins of people who have proven a part of who they are. Each is known by a token of its own, which opens nothing. */
import { randomUUID } from 'node:crypto'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { pendingToken } from './cookies.ts'
import { proofOf } from './credentials.ts'
import { knownBy } from './known.ts'
import type { Door, Entering, ProvenBy } from './steps/step.ts'
import { pendingSignIns } from './tables.ts'
import { hashOf, newToken } from './tokens/tokens.ts'

const ageSeconds = 600
const maxToken = 64

/** Whose people a password proves. */
const checkedBy: Partial<Record<ProvenBy, string>> = { Password: 'local', 'LDAP/AD': 'ldap' }

export interface Pending {
  id: string
  entering: Entering
}

/** @returns with the token it is known by from now on */
export async function keepPending(
  db: Executor,
  { person, provenBy, way, mfaType, newPasswordHash }: Entering,
): Promise<{ id: string; token: string }> {
  const id = randomUUID()
  const token = newToken()
  await db.insert(pendingSignIns).values({
    id,
    token_hash: hashOf(token),
    user_id: person.id,
    component_id: way.componentId ?? null,
    door: way.door,
    login_type: way.type,
    proven_by: provenBy,
    proof: proofOf(provenBy, person),
    new_password_hash: newPasswordHash ?? null,
    auto_login: way.autoLogin,
    remote_addr: way.remoteAddr,
    user_agent: way.userAgent,
    mfa_type: mfaType ?? null,
    date_expired: sql`now() + ${ageSeconds} * interval '1 second'`,
  })
  return { id, token }
}

/** Notes what was answered. */
export async function notePending(
  db: Executor,
  id: string,
  { mfaType, newPasswordHash }: Partial<Pick<Entering, 'mfaType' | 'newPasswordHash'>>,
): Promise<void> {
  const answered = {
    ...(mfaType !== undefined && { mfa_type: mfaType }),
    ...(newPasswordHash !== undefined && { new_password_hash: newPasswordHash }),
  }
  if (Object.keys(answered).length > 0)
    await db.update(pendingSignIns).set(answered).where(eq(pendingSignIns.id, id))
}

/** @returns whether it was there: of several who end it at the same time, one does */
export async function endPending(db: Executor, id: string): Promise<boolean> {
  const ended = await db
    .delete(pendingSignIns)
    .where(eq(pendingSignIns.id, id))
    .returning({ id: pendingSignIns.id })
  return ended.length > 0
}

/** Where this request comes from. @param said of components: whose request it is they make */
export function whence(ctx: Context, request: FastifyRequest, said?: string | null) {
  return {
    remoteAddr: (ctx.identity?.isComponent === true && said) || ctx.remoteAddr,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, 254),
  }
}

/**
 * The sign-in this browser, program or gateway is in the middle of; undefined for none. It is over when what was proven is no more the
 * person's, and belongs to the gateway it goes through.
 */
export async function pendingOf(
  ctx: Context,
  request: FastifyRequest,
  said?: string | null,
): Promise<Pending | undefined> {
  const token = pendingToken(request)
  if (token === undefined || token.length > maxToken) return undefined
  const [row] = await ctx.db
    .select()
    .from(pendingSignIns)
    .where(and(eq(pendingSignIns.token_hash, hashOf(token)), gt(pendingSignIns.date_expired, sql`now()`)))
  const componentId = ctx.identity?.isComponent === true ? ctx.identity.id : undefined
  if (row === undefined || (row.component_id ?? undefined) !== componentId) return undefined
  const person = await knownBy(ctx, row.user_id)
  const provenBy = row.proven_by as ProvenBy
  const isTheirs =
    person !== undefined &&
    row.proof === proofOf(provenBy, person) &&
    [undefined, person.source].includes(checkedBy[provenBy])
  if (!isTheirs) {
    await endPending(ctx.db, row.id)
    return undefined
  }
  return {
    id: row.id,
    entering: {
      person,
      provenBy,
      way: {
        door: row.door as Door,
        type: row.login_type as 'W' | 'T' | 'U',
        ...whence(ctx, request, said),
        componentId,
        autoLogin: row.auto_login,
      },
      mfaType: row.mfa_type ?? undefined,
      given: {},
      newPasswordHash: row.new_password_hash ?? undefined,
      rule: undefined,
      ticketId: row.ticket_id ?? undefined,
    },
  }
}
