/** Tickets as they stand: whose they are, who is asked, who decided. */
import type { TicketState, TicketType } from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { ticketAssignees, tickets, ticketSteps } from './tables.ts'

export interface TicketFound {
  id: string
  type: TicketType
  title: string
  serial_num: string
  state: TicketState
  /** It can be decided. */
  isOpen: boolean
  /** Its time is over, whatever was decided. */
  isExpired: boolean
  approval_step: number
  applicant_id: string | null
  meta: Readonly<Record<string, unknown>>
  /** Who decided on the level that is asked now, or was asked last. */
  processor_id: string | null
}

/** SQL: its time is over. */
export const isOver: SQL = sql`coalesce(${tickets.date_expired} <= now(), false)`

export async function findTicket(db: Executor, id: string): Promise<TicketFound | undefined> {
  const [found] = await db
    .select({
      id: tickets.id,
      type: tickets.type,
      title: tickets.title,
      serial_num: tickets.serial_num,
      state: tickets.state,
      isOpen: sql<boolean>`${tickets.status} = 'open' and not ${isOver}`,
      isExpired: sql<boolean>`${isOver}`,
      approval_step: tickets.approval_step,
      applicant_id: tickets.applicant_id,
      meta: tickets.meta,
      processor_id: ticketSteps.processor_id,
    })
    .from(tickets)
    .innerJoin(
      ticketSteps,
      and(eq(ticketSteps.ticket_id, tickets.id), eq(ticketSteps.level, tickets.approval_step)),
    )
    .where(eq(tickets.id, id))
  return found as TicketFound | undefined
}

/** SQL on `tickets`: the caller applied, or is or was asked. */
export function concerns({ identity }: Pick<Context, 'identity'>): SQL {
  if (identity === undefined) return sql`false`
  return sql`(${tickets.applicant_id} = ${identity.id} or exists (select 1 from ${ticketAssignees}
    where ${ticketAssignees.ticket_id} = ${tickets.id} and ${ticketAssignees.user_id} = ${identity.id}))`
}

/** SQL on `tickets`: this one is asked now. */
export const isAsked = (userId: string): SQL =>
  sql`exists (select 1 from ${ticketAssignees} where ${ticketAssignees.ticket_id} = ${tickets.id}
    and ${ticketAssignees.level} = ${tickets.approval_step} and ${ticketAssignees.user_id} = ${userId}::uuid)`

/** The people who are asked on a level. */
export async function assigneesOf(db: Executor, ticketId: string, level: number): Promise<string[]> {
  const rows = await db
    .select({ id: ticketAssignees.user_id })
    .from(ticketAssignees)
    .where(and(eq(ticketAssignees.ticket_id, ticketId), eq(ticketAssignees.level, level)))
  return rows.map(({ id }) => id)
}
