/** What becomes of an approval: it is good for one session, and for some minutes. */
import { eq, sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import { tickets, ticketSessions } from './tables.ts'

/** In a transaction. Whether the approval is the session's: it was not used yet, or for that very session. */
export async function useApproval(db: Executor, ticketId: string, sessionId: string): Promise<boolean> {
  await db.insert(ticketSessions).values({ ticket_id: ticketId, session_id: sessionId }).onConflictDoNothing()
  const [used] = await db.select().from(ticketSessions).where(eq(ticketSessions.ticket_id, ticketId))
  return used?.session_id === sessionId
}

export async function extendTicket(db: Executor, id: string, seconds: number): Promise<void> {
  await db
    .update(tickets)
    .set({ date_expired: sql`now() + ${seconds} * interval '1 second'` })
    .where(eq(tickets.id, id))
}
