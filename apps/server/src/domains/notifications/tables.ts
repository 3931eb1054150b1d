import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import { goesWith, identified, timestamptz } from '../../kernel/database/columns.ts'
import { userGroups, users } from '../users/tables.ts'

export type OutboxChannel = 'email' | 'sms'
/** Mails and texts on their way. A row goes when somebody has taken it, when it is given up, and with the person it is for. */
export const mailOutbox = pgTable(
  'mail_outbox',
  {
    ...identified(),
    user_id: goesWith(() => users.id),
    channel: text().$type<OutboxChannel>().notNull().default('email'),
    /** The message's type, for the log: what it says is nobody's business. */
    type: text().notNull(),
    address: text().notNull(),
    /** Subject, text and HTML, or a code, as JSON, encrypted at rest: links and codes in it open doors. */
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

/** Codes that were sent: one of each purpose a person, good once and for a short time. */
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

/** What a message says: its type and what is filled in, so that everybody reads it in their own language. */
export const siteContents = pgTable(
  'site_contents',
  {
    ...identified(),
    type: text().notNull(),
    params: jsonb().$type<Readonly<Record<string, string | number>>>().notNull(),
    /** `Name(username)`, or empty. */
    sender: text().notNull().default(''),
    date_created: timestamptz().notNull().defaultNow(),
    date_updated: timestamptz().notNull().defaultNow(),
  },
  (table) => [index('site_contents_type_idx').on(table.type, table.date_created)],
)

/** A message for somebody. */
export const siteMessages = pgTable(
  'site_messages',
  {
    ...identified(),
    user_id: goesWith(() => users.id),
    content_id: goesWith(() => siteContents.id),
    has_read: boolean().notNull().default(false),
    read_at: timestamptz(),
    date_created: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    unique('site_messages_once').on(table.user_id, table.content_id),
    index('site_messages_date_idx').on(table.user_id, table.date_created),
    index('site_messages_unread_idx')
      .on(table.user_id)
      .where(sql`not ${table.has_read}`),
    index('site_messages_content_idx').on(table.content_id),
  ],
)

/** By what somebody wants their own messages; who chose nothing gets them by every way there is. */
export const userSubscriptions = pgTable('user_msg_subscriptions', {
  user_id: goesWith(() => users.id).primaryKey(),
  receive_backends: jsonb().$type<string[]>().notNull(),
})

/** Who hears of what concerns the platform, by its type. */
export const systemSubscriptions = pgTable('system_msg_subscriptions', {
  ...identified(),
  message_type: text().notNull().unique(),
  receive_backends: jsonb().$type<string[]>().notNull(),
})
export const systemSubscriptionUsers = pgTable(
  'system_msg_subscription_users',
  { subscription_id: goesWith(() => systemSubscriptions.id), user_id: goesWith(() => users.id) },
  (table) => [primaryKey({ columns: [table.subscription_id, table.user_id] }), index().on(table.user_id)],
)
export const systemSubscriptionGroups = pgTable(
  'system_msg_subscription_groups',
  { subscription_id: goesWith(() => systemSubscriptions.id), usergroup_id: goesWith(() => userGroups.id) },
  (table) => [
    primaryKey({ columns: [table.subscription_id, table.usergroup_id] }),
    index().on(table.usergroup_id),
  ],
)
