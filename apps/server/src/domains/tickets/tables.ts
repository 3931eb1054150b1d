import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { commented, goesWith, identified, timestamptz } from '../../kernel/database/columns.ts'
import { users } from '../users/tables.ts'

/** Somebody, as long as there is such an account. */
const perhaps = () => uuid().references(() => users.id, { onDelete: 'set null' })

export const tickets = pgTable(
  'tickets',
  {
    ...identified(),
    type: text().notNull(),
    title: text().notNull(),
    ...commented(),
    serial_num: text().notNull().unique(),
    state: text().notNull().default('pending'),
    status: text().notNull().default('open'),
    /** The level that is asked now. */
    approval_step: integer().notNull().default(1),
    applicant_id: perhaps(),
    /** The all-zero one stands for all organizations, and there is no such row. */
    org_id: uuid().notNull(),
    /** What a ticket of its type says besides. */
    meta: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    rel_snapshot: jsonb().$type<Readonly<Record<string, string | string[]>>>().notNull(),
    date_created: timestamptz().notNull().defaultNow(),
    date_updated: timestamptz().notNull().defaultNow(),
    /** From then on nobody decides it any more; null: there is time. */
    date_expired: timestamptz(),
  },
  (table) => [
    index('tickets_date_idx').on(table.date_created, table.id),
    index('tickets_applicant_idx').on(table.applicant_id, table.date_created),
    index('tickets_title_trgm').using('gin', table.title.op('gin_trgm_ops')),
    index('tickets_open_idx')
      .on(table.date_expired)
      .where(sql`${table.status} = 'open'`),
  ],
)

export const ticketSteps = pgTable(
  'ticket_steps',
  {
    ticket_id: goesWith(() => tickets.id),
    level: integer().notNull(),
    state: text().notNull().default('pending'),
    processor_id: perhaps(),
    processor_display: text().notNull().default(''),
    date_updated: timestamptz().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.ticket_id, table.level] })],
)

export const ticketAssignees = pgTable(
  'ticket_assignees',
  { ticket_id: goesWith(() => tickets.id), level: integer().notNull(), user_id: goesWith(() => users.id) },
  (table) => [
    primaryKey({ columns: [table.ticket_id, table.level, table.user_id] }),
    index('ticket_assignees_user_idx').on(table.user_id),
  ],
)

export const ticketComments = pgTable(
  'ticket_comments',
  {
    ...identified(),
    ticket_id: goesWith(() => tickets.id),
    user_id: perhaps(),
    user_display: text().notNull(),
    body: text().notNull().default(''),
    /** Of one that tells what became of the ticket, in the reader's language: the state; such a one has no body. */
    state: text(),
    date_created: timestamptz().notNull().defaultNow(),
    date_updated: timestamptz().notNull().defaultNow(),
  },
  (table) => [index('ticket_comments_ticket_idx').on(table.ticket_id, table.date_created)],
)

/** What an approval was used for: one session each. */
export const ticketSessions = pgTable(
  'ticket_sessions',
  {
    ticket_id: uuid()
      .primaryKey()
      .references(() => tickets.id, { onDelete: 'cascade' }),
    session_id: uuid().notNull(),
  },
  (table) => [index('ticket_sessions_session_idx').on(table.session_id)],
)

/** How many tickets were opened on a day (`20260320`). */
export const ticketSerials = pgTable('ticket_serials', {
  day: text().primaryKey(),
  last: integer().notNull(),
})
