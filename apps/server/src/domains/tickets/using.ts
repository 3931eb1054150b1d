/** What becomes of an approval: it is good for one session, and for some minutes. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { concerns, findTicket } from './finding.ts'
import { ticketAssignees, tickets, ticketSessions } from './tables.ts'

/** In a transaction. Whether the approval is the session's: it was not used yet, or for that very session. */
export async function useApproval(db: Executor, ticketId: string, sessionId: string): Promise<boolean> {
  await db.insert(ticketSessions).values({ ticket_id: ticketId, session_id: sessionId }).onConflictDoNothing()
  const [used] = await db.select().from(ticketSessions).where(eq(ticketSessions.ticket_id, ticketId))
  return used?.session_id === sessionId
}

/** The same for a session that is on the books already, where the approval is of that connection, or of a command in it. */
export async function relateSession(
  db: Executor,
  ticketId: string,
  session: { id: string; user_id?: string | null; asset_id?: string | null },
): Promise<boolean> {
  const ticket = await findTicket(db, ticketId)
  if (ticket?.state !== 'approved' || ticket.applicant_id !== session.user_id) return false
  const { apply_login_asset: asset, apply_from_session: from } = ticket.meta
  const isOfThis = ticket.type === 'login_asset_confirm' ? asset === session.asset_id : from === session.id
  return isOfThis && (await useApproval(db, ticketId, session.id))
}

/** The session an approval was used for, where the ticket concerns the caller. */
export async function sessionOfTicket(ctx: Context, ticketId: string): Promise<string | undefined> {
  const [found] = await ctx.db
    .select({ id: ticketSessions.session_id })
    .from(ticketSessions)
    .innerJoin(tickets, eq(tickets.id, ticketSessions.ticket_id))
    .where(and(eq(tickets.id, ticketId), concerns(ctx)))
  return found?.id
}

/** SQL: somebody was asked about the ticket that session came of. */
export function wasAsked(sessionId: PgColumn, userId: string): SQL<boolean> {
  const asked = sql`select from ${ticketSessions} join ${ticketAssignees} on ${ticketAssignees.ticket_id} = ${ticketSessions.ticket_id}
    where ${ticketSessions.session_id} = ${sessionId} and ${ticketAssignees.user_id} = ${userId}::uuid`
  return sql`exists (${asked})`
}

export async function extendTicket(db: Executor, id: string, seconds: number): Promise<void> {
  await db
    .update(tickets)
    .set({ date_expired: sql`now() + ${seconds} * interval '1 second'` })
    .where(eq(tickets.id, id))
}
