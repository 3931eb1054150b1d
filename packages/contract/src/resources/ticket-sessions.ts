/** The session that came of an approved ticket. */
import { answer, onList, service } from '../resource/calls.ts'
import { uuid } from '../resource/field.ts'
import type { Session } from './terminal.ts'

export const TicketSessions = service({
  app: 'tickets',
  model: 'ticketsessions',
  path: 'tickets',
  calls: {
    /** For those the ticket concerns; 404 without a body until somebody has connected with it. */
    session: onList({
      method: 'GET',
      path: 'tickets/{id}/session',
      access: 'tickets.view_ticket',
      answer: answer.rowOf<Session>('terminal.session'),
    }),
    /** A component says for which of its sessions an approval was used; our own gateways begin sessions with their approval. */
    relate: onList({
      method: 'POST',
      path: 'ticket-session-relation',
      access: 'component',
      body: { ticket: uuid({ required: true }), session: uuid({ required: true }) },
      answer: answer.object({ ticket: uuid(), session: uuid() }),
      status: 201,
      records: { unrecorded: 'the session and the ticket are books themselves' },
    }),
  },
})
