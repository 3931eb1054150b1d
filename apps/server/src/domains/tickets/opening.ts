/** A new ticket: numbered, with its levels and who is asked on each; those who are asked first are told. */
import type { TicketType } from '@sallyport/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { displayOf } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { isValid, users } from '../users/index.ts'
import { say } from './comments.ts'
import { type Telling, tellAssignees } from './telling.ts'
import { ticketAssignees, tickets, ticketSerials, ticketSteps } from './tables.ts'

export interface Opening {
  type: TicketType
  title: string
  /** Where it belongs: the all-zero id for what is nobody's alone. */
  orgId: string
  applicant: { id: string; name: string; username: string }
  /** Whom to ask, level by level. */
  levels: readonly (readonly string[])[]
  meta: Readonly<Record<string, unknown>>
  /** What related objects are called, besides the applicant. */
  snapshot: Readonly<Record<string, string | string[]>>
  /** After which nobody decides it any more. */
  ttlSeconds?: number
}

/**
 * @param telling in a transaction
 * @returns undefined where on some level nobody can be asked: nobody decides about their own request, and whoever may not log in decides
 * nothing
 */
export async function openTicket(telling: Telling, opening: Opening): Promise<string | undefined> {
  const { db } = telling.ctx
  const { applicant, levels, ttlSeconds } = opening
  const asked = await Promise.all(levels.map((level) => ableOf(db, level, applicant.id)))
  if (asked.length === 0 || asked.some((level) => level.length === 0)) return undefined
  const [made] = await db
    .insert(tickets)
    .values({
      type: opening.type,
      title: opening.title.slice(0, maxTitle),
      serial_num: await nextSerial(db),
      applicant_id: applicant.id,
      org_id: opening.orgId,
      meta: opening.meta,
      rel_snapshot: { ...opening.snapshot, applicant: displayOf(applicant) },
      date_expired: ttlSeconds === undefined ? null : sql`now() + ${ttlSeconds} * interval '1 second'`,
    })
    .returning({ id: tickets.id, number: tickets.serial_num, title: tickets.title })
  if (made === undefined) return undefined
  const numbered = asked.map((people, at) => ({ ticket_id: made.id, level: at + 1, people }))
  await db.insert(ticketSteps).values(numbered.map(({ ticket_id, level }) => ({ ticket_id, level })))
  await db
    .insert(ticketAssignees)
    .values(
      numbered.flatMap(({ ticket_id, level, people }) =>
        people.map((user_id) => ({ ticket_id, level, user_id })),
      ),
    )
  await say(db, made.id, applicant, 'pending')
  await tellAssignees(
    telling,
    { ...made, type: opening.type },
    asked[0] ?? [],
    displayOf(applicant),
    ttlSeconds,
  )
  return made.id
}
const maxTitle = 256

const ableOf = async (db: Executor, people: readonly string[], applicantId: string) => {
  const others = people.filter((id) => id !== applicantId)
  if (others.length === 0) return []
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, others), isValid, eq(users.is_service_account, false)))
  return rows.map(({ id }) => id)
}

/** The day and how many there were on it, with four digits or more. */
async function nextSerial(db: Executor): Promise<string> {
  const [row] = await db
    .insert(ticketSerials)
    .values({ day: sql`to_char(now(), 'YYYYMMDD')`, last: 1 })
    .onConflictDoUpdate({ target: ticketSerials.day, set: { last: sql`${ticketSerials.last} + 1` } })
    .returning()
  return `${row?.day ?? ''}${String(row?.last ?? 0).padStart(4, '0')}`
}
