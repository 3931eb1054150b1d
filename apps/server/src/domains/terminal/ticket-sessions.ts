/** Sessions that came of a ticket, for those the ticket concerns. */
import { isUuid, TicketSessions } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { storedRow } from '../../kernel/resource/read.ts'
import { relateSession, sessionOfTicket } from '../tickets/index.ts'
import { ownSession } from './components.ts'
import { sessions } from './tables.ts'

/** `session`: the list of sessions as it is served. */
export const ticketSessions = (session: Served): Provided =>
  provide(TicketSessions, {
    session: async (ctx, { parameters: { id } }) => {
      const sessionId = isUuid(id) ? await sessionOfTicket(ctx, id) : undefined
      // A ticket concerns people in whatever organization they work at the moment.
      const everywhere = ctx.inOrg({ ...ctx.org, is_root: true })
      const row =
        sessionId === undefined ? undefined : await storedRow(session, everywhere, eq(sessions.id, sessionId))
      if (row === undefined) throw new ApiError(404, 'object_does_not_exist', { body: () => undefined })
      return { served: session, row }
    },
    relate: async (ctx, { body }) => {
      await keepWithTicket(ctx, body.ticket, await ownSession(ctx, body.session))
      return body
    },
  })

/** Keeps a session with the approval it came of. @throws ValidationError where that is none of it, or was used for another session */
export async function keepWithTicket(
  ctx: Pick<Context, 'db'>,
  ticket: string,
  session: Parameters<typeof relateSession>[2],
): Promise<void> {
  if (!(await relateSession(ctx.db, ticket, session)))
    throw invalid('ticket', 'does_not_exist', { pk: ticket })
}
