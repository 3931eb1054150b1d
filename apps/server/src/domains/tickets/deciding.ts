/** Approving, rejecting and taking back. */
import type { TicketState } from '@sallyport/contract'
import { and, eq, sql } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { forbidden, refused } from '../../kernel/errors.ts'
import type { Notifications } from '../notifications/index.ts'
import { users } from '../users/index.ts'
import { say } from './comments.ts'
import { assigneesOf, findTicket, isOver, type TicketFound } from './finding.ts'
import type { TicketKind } from './kinds.ts'
import { tickets, ticketSteps } from './tables.ts'
import { tellApplicant, tellAssignees } from './telling.ts'

export interface DecidingParts {
  kinds: readonly TicketKind[]
  send: Notifications['send']
  /** Tells the component with that account, which waits for a ticket, that it need not wait any more; in the transaction of the decision. */
  tellComponent: (db: Executor, componentId: string, ticketId: string) => Promise<void>
}

/** @param id of a ticket whose row is locked @throws ApiError 400 when it is finished */
async function openOne(db: Executor, id: string): Promise<TicketFound> {
  const ticket = await findTicket(db, id)
  if (ticket?.isOpen !== true) throw refused('ticket_closed')
  return ticket
}

/** Whether somebody may decide this ticket now: asked on its level, not about their own request, and still who may. */
async function mayDecide(
  { db }: Pick<Context, 'db'>,
  parts: DecidingParts,
  ticket: TicketFound,
  userId: string,
): Promise<boolean> {
  const isTheirs = (await assigneesOf(db, ticket.id, ticket.approval_step)).includes(userId)
  const kind = kindOf(parts, ticket)
  if (!isTheirs || ticket.applicant_id === userId || kind === undefined) return false
  return await kind.mayDecide(db, ticket, userId)
}

const kindOf = ({ kinds }: DecidingParts, ticket: TicketFound) =>
  kinds.find(({ type }) => type === ticket.type)

/** What the caller decides about the level that is asked now. */
export async function decide(
  ctx: Context,
  parts: DecidingParts,
  id: string,
  state: 'approved' | 'rejected',
): Promise<void> {
  const caller = callerOf(ctx)
  const { db } = ctx
  const ticket = await openOne(db, id)
  if (!(await mayDecide(ctx, parts, ticket, caller.id))) throw forbidden('ticket_not_assignee')
  await endStep(db, ticket, state, caller)
  await say(db, id, caller, state)
  const told = { ...ticket, number: ticket.serial_num }
  const telling = { ctx, send: parts.send }
  const next = ticket.approval_step + 1
  const further = state === 'approved' ? await assigneesOf(db, id, next) : []
  if (further.length > 0) {
    await db.update(tickets).set({ approval_step: next, date_updated: new Date() }).where(eq(tickets.id, id))
    await tellAssignees(telling, told, further, await nameOf(db, ticket.applicant_id))
  } else {
    await finish(db, id, state)
    await tellWaiting(db, parts, ticket)
    if (state === 'approved') await kindOf(parts, ticket)?.approved?.(ctx, ticket)
  }
  await tellApplicant(telling, told, ticket.applicant_id, state, displayOf(caller))
}

/** @throws ApiError 403 for whoever is neither the applicant nor asked now */
export async function withdraw(ctx: Context, parts: DecidingParts, id: string): Promise<void> {
  const caller = callerOf(ctx)
  const ticket = await openOne(ctx.db, id)
  if (ticket.applicant_id !== caller.id && !(await mayDecide(ctx, parts, ticket, caller.id)))
    throw forbidden('ticket_not_assignee')
  await end(ctx.db, ticket)
  await tellWaiting(ctx.db, parts, ticket)
  await say(ctx.db, id, caller, 'closed')
}

async function tellWaiting(
  db: Executor,
  { tellComponent }: Pick<DecidingParts, 'tellComponent'>,
  { id, meta }: Pick<TicketFound, 'id' | 'meta'>,
): Promise<void> {
  const component = meta['component_id']
  if (typeof component === 'string') await tellComponent(db, component, id)
}

/** Nobody needs it decided any more. Does nothing to one that is finished. */
export async function closeTicket(db: Executor, id: string): Promise<void> {
  await db.execute(sql`select 1 from ${tickets} where ${tickets.id} = ${id} for update`)
  const ticket = await findTicket(db, id)
  if (ticket?.state === 'pending') await end(db, ticket)
}

/** A step that is taken back shows the applicant as who did it. */
async function end(db: Executor, ticket: TicketFound): Promise<void> {
  const [applicant] = await db
    .select({ id: users.id, name: users.name, username: users.username })
    .from(users)
    .where(eq(users.id, ticket.applicant_id ?? ticket.id))
  await endStep(db, ticket, 'closed', applicant)
  await finish(db, ticket.id, 'closed')
}

const endStep = (
  db: Executor,
  ticket: Pick<TicketFound, 'id' | 'approval_step'>,
  state: TicketState,
  by: { id: string; name: string; username: string } | undefined,
) =>
  db
    .update(ticketSteps)
    .set({
      state,
      processor_id: by?.id ?? null,
      processor_display: by === undefined ? '' : displayOf(by),
      date_updated: new Date(),
    })
    .where(and(eq(ticketSteps.ticket_id, ticket.id), eq(ticketSteps.level, ticket.approval_step)))

const finish = (db: Executor, id: string, state: TicketState) =>
  db.update(tickets).set({ state, status: 'closed', date_updated: new Date() }).where(eq(tickets.id, id))

async function nameOf(db: Executor, userId: string | null): Promise<string> {
  if (userId === null) return ''
  const [person] = await db
    .select({ name: users.name, username: users.username })
    .from(users)
    .where(eq(users.id, userId))
  return person === undefined ? '' : displayOf(person)
}

/** Ends what nobody decided in time. */
export async function closeExpired(db: Executor, parts: Pick<DecidingParts, 'tellComponent'>): Promise<void> {
  const over = await db
    .select({ id: tickets.id, meta: tickets.meta })
    .from(tickets)
    .where(and(eq(tickets.status, 'open'), isOver))
    .limit(batch)
  for (const ticket of over) {
    await closeTicket(db, ticket.id)
    await tellWaiting(db, parts, ticket)
  }
}
const batch = 1000

/** The open tickets of a type of somebody. */
export async function openOf(db: Executor, userId: string, type: string): Promise<string[]> {
  const rows = await db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.applicant_id, userId), eq(tickets.type, type), eq(tickets.status, 'open')))
  return rows.map(({ id }) => id)
}
