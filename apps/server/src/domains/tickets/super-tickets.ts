/** Tickets that components wait for: each sees and takes back those it opened itself. */
import {
  choiceLabel,
  isUuid,
  modelLabel,
  SuperTicket,
  type SuperTicketStatus,
  Ticket,
  ticketStates,
  ticketStatuses,
} from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { closeTicket } from './deciding.ts'
import { findTicket, type TicketFound } from './finding.ts'
import { ticketSteps } from './tables.ts'

/** @throws ApiError 404 where the calling component opened no such ticket */
async function opened(ctx: Context, id: string): Promise<TicketFound> {
  const ticket = isUuid(id) ? await findTicket(ctx.db, id) : undefined
  if (ticket === undefined || ticket.meta['component_id'] !== callerOf(ctx).id)
    throw notFound((language) => modelLabel(Ticket, language))
  return ticket
}

export const superTickets: Provided = provide(SuperTicket, {
  status: async (ctx, { parameters }): Promise<SuperTicketStatus> => {
    const ticket = await opened(ctx, parameters.id)
    // What nobody decided in time is closed within a minute; who waits need not wait for that.
    const state = ticket.state === 'pending' && ticket.isExpired ? 'closed' : ticket.state
    const status = state === 'pending' ? 'open' : 'closed'
    const [step] = await ctx.db
      .select({ processor: ticketSteps.processor_display })
      .from(ticketSteps)
      .where(eq(ticketSteps.ticket_id, ticket.id))
      .orderBy(ticketSteps.level)
      .limit(1)
    const { language } = ctx
    return {
      id: ticket.id,
      status: { value: status, label: choiceLabel(ticketStatuses, status, language) },
      state: { value: state, label: choiceLabel(ticketStates, state, language) },
      processor: step?.processor ?? '',
    }
  },
  close: async (ctx, { parameters }) => {
    const { id } = await opened(ctx, parameters.id)
    await closeTicket(ctx.db, id)
  },
})
