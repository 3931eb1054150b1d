import type { Context } from '../../kernel/context.ts'
import { type Executor, withTransaction } from '../../kernel/database/index.ts'
import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Notifications } from '../notifications/index.ts'
import { commentServed } from './comments.ts'
import { closeExpired, closeTicket, type DecidingParts, openOf } from './deciding.ts'
import { findTicket, type TicketFound } from './finding.ts'
import { type Opening, openTicket } from './opening.ts'
import { ticketsServed } from './resources.ts'
import { superTickets } from './super-tickets.ts'
import { extendTicket, useApproval } from './using.ts'

export type { TicketFound } from './finding.ts'
export type { TicketKind } from './kinds.ts'
export { relateSession, sessionOfTicket, wasAsked } from './using.ts'
export { assigneesTold, reviewInfo, waitingFor } from './waiting.ts'

/** Requests that somebody must approve, for the domains that need such an approval. */
export interface Tickets {
  /** In a transaction. Undefined where nobody could decide. */
  open(ctx: Pick<Context, 'db' | 'settings' | 'language'>, opening: Opening): Promise<string | undefined>
  find(db: Executor, id: string): Promise<TicketFound | undefined>
  /** In a transaction: nobody needs it decided any more. */
  close(db: Executor, id: string): Promise<void>
  /** Likewise: an approval is used for a session, or was for that one. Answers whether it may be; it is good once. */
  use(db: Executor, id: string, sessionId: string): Promise<boolean>
  /** Likewise: from now on what was decided is good for so long. */
  extend(db: Executor, id: string, seconds: number): Promise<void>
  /** Likewise, all of a type that somebody applied for. */
  closeOf(db: Executor, userId: string, type: TicketFound['type']): Promise<void>
}

export const createTickets = ({ send }: Pick<Notifications, 'send'>): Tickets => ({
  open: (ctx, opening) => openTicket({ ctx, send }, opening),
  find: findTicket,
  close: closeTicket,
  use: useApproval,
  extend: extendTicket,
  closeOf: async (db, userId, type) => {
    for (const id of await openOf(db, userId, type)) await closeTicket(db, id)
  },
})

const closeEveryMs = 60_000

export function domain({ database, log }: Pick<Ground, 'database' | 'log'>, parts: DecidingParts): Domain {
  return {
    name: 'tickets',
    resources: [...ticketsServed(parts), commentServed],
    services: [superTickets],
    start: () => {
      const timer = setInterval(() => {
        withTransaction(database.db, (db) => closeExpired(db, parts)).catch((error: unknown) =>
          log.error({ err: error }, 'expired tickets could not be closed'),
        )
      }, closeEveryMs)
      timer.unref()
      return Promise.resolve(() => {
        clearInterval(timer)
        return Promise.resolve()
      })
    },
  }
}
