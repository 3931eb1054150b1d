/**
 * Logins that somebody else must confirm. The ticket belongs to one half sign-in: what was decided about it is good for
 * that one, once, from the same address, within ten minutes, and only while whoever decided still may.
 */
import {
  type LoginConfirmState,
  LoginConfirmTicket,
  rootOrgId,
  serverTexts,
  translate,
} from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { placeOf } from '../../../kernel/addresses.ts'
import { type Context, displayOf } from '../../../kernel/context.ts'
import { withTransaction } from '../../../kernel/database/index.ts'
import { provide, type Provided } from '../../../kernel/resource/calls.ts'
import { isReviewer, type LoginRule } from '../../acls/index.ts'
import type { TicketFound, TicketKind, Tickets } from '../../tickets/index.ts'
import { countAsked } from '../../users/index.ts'
import { clearPending } from '../cookies.ts'
import { knownBy } from '../known.ts'
import { endPending, keepPending, pendingOf } from '../pending.ts'
import { confirmRefused, owed } from '../refusals.ts'
import type { Entering, Owed, Refused, Step, StepParts } from './step.ts'
import { passed } from './step.ts'
import { pendingSignIns } from '../tables.ts'

export const ticketType = 'login_confirm'
const waitSeconds = 600
/** Tickets of one person within that time: each of them is a mail to others. */
const mostTickets = 10

/** Decides who still is a reviewer of the rule the ticket was opened for. */
export const loginConfirmKind: TicketKind = {
  type: ticketType,
  mayDecide: (db, { meta }, userId) => isReviewer(db, String(meta['rule_id']), userId),
}

const refusal = (reason: Refused['reason'], params: Refused['params'] = {}): Refused => ({
  is: 'refused',
  error: 'login_confirm_error',
  reason,
  params,
})
const waiting = (ticketId: string | undefined): Owed => ({
  is: 'owed',
  error: 'login_confirm_wait',
  reason: 'login_confirm_wait',
  ...(ticketId !== undefined && { ticketId }),
})

/** The last step: nobody is asked about somebody who has not proven everything else. */
export const reviewStep: Step = async (ctx, parts, { person, way, rule, ticketId }) => {
  if (rule?.action !== 'review') return passed
  if (ticketId === undefined) return waiting(undefined)
  const ticket = await parts.tickets.find(ctx.db, ticketId)
  const decided = decisionOf(ticket)
  if (decided === 'waiting') return waiting(ticketId)
  if (typeof decided === 'object') return decided
  const isOfThis = ticket?.applicant_id === person.id && ticket.meta['apply_login_ip'] === way.remoteAddr
  return isOfThis && (await stillDecides(ctx, parts, rule, ticket)) ? passed : refusal('login_confirm_void')
}

function decisionOf(ticket: TicketFound | undefined): 'approved' | 'waiting' | Refused {
  if (ticket?.state === 'rejected') return refusal('login_confirm_rejected')
  if (ticket === undefined || ticket.isExpired || ticket.state === 'closed')
    return refusal('login_confirm_closed')
  return ticket.state === 'approved' ? 'approved' : 'waiting'
}

/** Whether who decided could decide now: named by the rule that holds now, not the person themself, here, and with the right to. */
async function stillDecides(
  ctx: Context,
  { rbac }: Pick<StepParts, 'rbac'>,
  rule: LoginRule,
  { applicant_id, processor_id }: TicketFound,
): Promise<boolean> {
  if (processor_id === null || processor_id === applicant_id || !rule.reviewers.includes(processor_id))
    return false
  const processor = await knownBy(ctx, processor_id)
  const permissions = await rbac.permissions(processor_id, rootOrgId)
  return processor?.isValid === true && permissions.has('tickets.view_ticket')
}

/** Opens the ticket of a sign-in that needs one, and has none yet. @returns undefined where the sign-in is over */
export async function askReviewers(
  ctx: Context,
  { tickets }: Pick<StepParts, 'tickets'>,
  entering: Entering,
  pendingId: string | undefined,
): Promise<(Owed & { token: string | undefined }) | Refused | undefined> {
  const { person, rule, way } = entering
  if (rule === undefined) return undefined
  const asked = await countAsked(ctx.db, 'review', person.id, waitSeconds / 60)
  if (asked > mostTickets) return refusal('login_review_too_often', { minutes: waitSeconds / 60 })
  return await withTransaction(ctx.db, async (tx) => {
    const kept =
      pendingId === undefined ? await keepPending(tx, entering) : { id: pendingId, token: undefined }
    const [pending] = await tx
      .select({ ticketId: pendingSignIns.ticket_id })
      .from(pendingSignIns)
      .where(eq(pendingSignIns.id, kept.id))
      .for('update')
    if (pending === undefined) return undefined
    // Asked for twice at once: one ticket is enough.
    if (pending.ticketId !== null) return { ...waiting(pending.ticketId), token: kept.token }
    const ticketId = await tickets.open(ctx.within(tx), {
      type: ticketType,
      title: translate(serverTexts, ctx.language, 'ticket_title.login_confirm', { user: displayOf(person) }),
      orgId: rootOrgId,
      applicant: person,
      levels: [rule.reviewers],
      meta: {
        rule_id: rule.id,
        apply_login_ip: way.remoteAddr,
        apply_login_city: placeOf(way.remoteAddr),
        apply_login_datetime: new Date().toISOString(),
      },
      snapshot: {},
      ttlSeconds: waitSeconds,
    })
    if (ticketId === undefined) {
      await endPending(tx, kept.id)
      return refusal('login_review_unavailable')
    }
    await tx
      .update(pendingSignIns)
      .set({ ticket_id: ticketId, date_expired: sql`now() + ${waitSeconds} * interval '1 second'` })
      .where(eq(pendingSignIns.id, kept.id))
    return { ...waiting(ticketId), token: kept.token }
  })
}

export const loginConfirmCalls = ({ tickets }: { tickets: Tickets }): Provided =>
  provide(LoginConfirmTicket, {
    status: async (ctx, { request, reply }): Promise<LoginConfirmState> => {
      const pending = await pendingOf(ctx, request)
      const ticketId = pending?.entering.ticketId
      const ticket = ticketId === undefined ? undefined : await tickets.find(ctx.db, ticketId)
      const decided = decisionOf(ticket)
      if (decided === 'approved') return { msg: 'ok' }
      if (decided === 'waiting') return { ...owed(ctx, waiting(ticketId)), error: 'login_confirm_wait' }
      if (pending !== undefined) await endPending(ctx.db, pending.id)
      clearPending(request, reply)
      return confirmRefused(ctx, decided, { ticketId, username: pending?.entering.person.username })
    },
    cancel: async (ctx, { request, reply }): Promise<''> => {
      const pending = await pendingOf(ctx, request)
      const ticketId = pending?.entering.ticketId
      if (ticketId !== undefined) await tickets.close(ctx.db, ticketId)
      if (pending !== undefined && ticketId !== undefined) await endPending(ctx.db, pending.id)
      clearPending(request, reply)
      return ''
    },
  })
