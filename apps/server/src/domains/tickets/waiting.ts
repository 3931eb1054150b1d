/** How whoever waits for a ticket goes on with it: a component by calls of its own, a person as anybody concerned. */
import {
  callPath,
  detailUrl,
  type ReviewInfo,
  SuperTicket,
  Ticket,
  type TicketType,
} from '@sallyport/contract'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { users } from '../users/index.ts'
import { ticketAssignees } from './tables.ts'
import { ticketPage } from './telling.ts'

/** SQL: the people who are asked about a ticket, `Name(username)` each. */
export const assigneesTold = (ticketId: SQL): SQL<string[]> =>
  sql`(select coalesce(json_agg(distinct ${users.name} || '(' || ${users.username} || ')'), '[]'::json) from ${ticketAssignees}
    join ${users} on ${users.id} = ${ticketAssignees.user_id} where ${ticketAssignees.ticket_id} = ${ticketId})`

/** The same of a ticket that was just opened. */
export async function waitingFor(
  ctx: Pick<Context, 'db' | 'settings'>,
  ticket: { id: string; type: TicketType },
  waiting: 'component' | 'person',
): Promise<ReviewInfo> {
  const { rows } = await ctx.db.execute<{ assignees: string[] }>(
    sql`select ${assigneesTold(sql`${ticket.id}::uuid`)} as assignees`,
  )
  return reviewInfo(ctx, ticket, rows[0]?.assignees ?? [], waiting)
}

export function reviewInfo(
  ctx: Pick<Context, 'settings'>,
  ticket: { id: string; type: TicketType },
  assignees: string[],
  waiting: 'component' | 'person',
): ReviewInfo {
  const { id } = ticket
  const superUrl = callPath(SuperTicket, SuperTicket.calls.status).replace('{id}', id)
  const own = detailUrl(Ticket, id)
  const isComponent = waiting === 'component'
  return {
    check_ticket_api: { method: 'GET', url: isComponent ? superUrl : own },
    close_ticket_api: isComponent
      ? { method: 'DELETE', url: superUrl }
      : { method: 'PUT', url: callPath(Ticket, Ticket.calls.close).replace('{id}', id) },
    ticket_detail_page_url: ticketPage(ctx, ticket),
    assignees,
  }
}
