/** What those concerned say about a ticket; and what became of it, told in the language of whoever reads. */
import { isUuid, serverTexts, TicketComment, type TicketState, translate } from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { refused } from '../../kernel/errors.ts'
import { type CallsOf, narrowed, serve } from '../../kernel/resource/binding.ts'
import { storedRow } from '../../kernel/resource/read.ts'
import { system } from '../../kernel/resource/rows.ts'
import { concerns } from './finding.ts'
import { ticketComments, tickets } from './tables.ts'

type Told = Exclude<TicketState, 'reopen'>

export async function say(
  db: Executor,
  ticketId: string,
  by: { id: string; name: string; username: string },
  state: Told,
): Promise<void> {
  await db
    .insert(ticketComments)
    .values({ ticket_id: ticketId, user_id: by.id, user_display: displayOf(by), state })
}

const ofMine = (ctx: Context): SQL =>
  sql`${ticketComments.ticket_id} in (select ${tickets.id} from ${tickets} where ${concerns(ctx)})`

/** @throws ApiError 400 where there is no such ticket for this caller */
async function checkTicket(ctx: Context, id: string | undefined): Promise<string> {
  const found =
    id !== undefined && isUuid(id)
      ? await ctx.db
          .select({ id: tickets.id })
          .from(tickets)
          .where(and(eq(tickets.id, id), concerns(ctx)))
      : []
  const [ticket] = found
  if (ticket === undefined) throw refused('ticket_not_found', { id: id ?? '' })
  return ticket.id
}

const calls: CallsOf<typeof TicketComment, typeof ticketComments> = {
  list: async (ctx, { served, query }) => {
    const id = await checkTicket(ctx, query.ticket_id)
    return { served: narrowed(served, eq(ticketComments.ticket_id, id)) }
  },
  create: async (ctx, { served, query, body }) => {
    const ticket_id = await checkTicket(ctx, query.ticket_id ?? body.ticket)
    const caller = callerOf(ctx)
    const [made] = await ctx.db
      .insert(ticketComments)
      .values({ ticket_id, user_id: caller.id, user_display: displayOf(caller), body: body.body })
      .returning({ id: ticketComments.id })
    const row = await storedRow(served, ctx, eq(ticketComments.id, made?.id ?? ''))
    if (row === undefined) throw refused('ticket_not_found', { id: ticket_id })
    return row
  },
}

export const commentServed = serve(TicketComment, {
  table: ticketComments,
  rows: system,
  visible: ofMine,
  computed: {
    body: sql`json_build_object('state', ${ticketComments.state}, 'body', ${ticketComments.body})`,
  },
  present: (ctx, row) => {
    const stored = row.body as unknown as { state: Told | null; body: string } | undefined
    if (stored === undefined) return row
    const { state, body } = stored
    const params = { user: row.user_display ?? '' }
    return {
      ...row,
      body: state === null ? body : translate(serverTexts, ctx.language, `ticket_comment.${state}`, params),
    }
  },
  calls,
})
