import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { goesWith, identified, timestamptz } from '../../kernel/database/columns.ts'
import { users } from '../users/tables.ts'

/** Mails on their way. A row goes when the mail server has taken it, when it is given up, and with the person it is for. */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    ...identified(),
    user_id: goesWith(() => users.id),
    /** The message's type, for the log: what it says is nobody's business. */
    type: text().notNull(),
    address: text().notNull(),
    /** Subject, text and HTML as JSON, encrypted at rest: links and codes in it open doors. */
    content: text().notNull(),
    attempts: integer().notNull().default(0),
    date_created: timestamptz().notNull().defaultNow(),
    /** When it is tried next; who tries it puts this off, so that it is tried again if nobody says how it went. */
    date_due: timestamptz().notNull().defaultNow(),
    /** From then on nobody needs it any more. */
    date_expired: timestamptz().notNull(),
  },
  (table) => [index('mail_outbox_due_idx').on(table.date_due)],
)

/** Codes that were mailed: one of each purpose a person, good once and for a short time. */
export const mailCodes = pgTable(
  'mail_codes',
  {
    user_id: goesWith(() => users.id),
    purpose: text().notNull(),
    /** Encrypted at rest. */
    code: text().notNull(),
    /** Guesses, the right one too. */
    tries: integer().notNull().default(0),
    date_expired: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.purpose] })],
)
