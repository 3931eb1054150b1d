/** What those concerned are told of a ticket. */
import type { TicketType } from '@sallyport/contract'
import type { Notifications } from '../notifications/index.ts'
import { pageOf } from '../users/index.ts'

export interface Telling {
  ctx: Parameters<Notifications['send']>[0]
  send: Notifications['send']
}
export interface Told {
  id: string
  type: TicketType
  number: string
  title: string
}

/** The page of a ticket, for people. */
export const ticketPage = (
  ctx: Pick<Telling['ctx'], 'settings'>,
  { id, type }: Pick<Told, 'id' | 'type'>,
): string => pageOf(ctx, `/ui/#/tickets/tickets/${id}?type=${type}`)
const linkTo = ({ ctx }: Telling, ticket: Told) => ticketPage(ctx, ticket)

/** @param ttlSeconds after which a mail of it is of no use */
export const tellAssignees = (
  telling: Telling,
  ticket: Told,
  assignees: readonly string[],
  applicant: string,
  ttlSeconds?: number,
): Promise<void> =>
  telling.send(
    telling.ctx,
    'TicketAppliedToAssigneeMessage',
    assignees,
    { applicant, title: ticket.title, number: ticket.number, link: linkTo(telling, ticket) },
    ttlSeconds === undefined ? {} : { ttlSeconds },
  )

export const tellApplicant = (
  telling: Telling,
  ticket: Told,
  applicantId: string | null,
  state: 'approved' | 'rejected',
  processor: string,
): Promise<void> =>
  telling.send(
    telling.ctx,
    state === 'approved' ? 'TicketApprovedToApplicantMessage' : 'TicketRejectedToApplicantMessage',
    applicantId === null ? [] : [applicantId],
    { title: ticket.title, number: ticket.number, processor, link: linkTo(telling, ticket) },
  )
