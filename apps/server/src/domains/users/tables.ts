import type { Language } from '@sallyport/contract'
import { boolean, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import {
  commented,
  created,
  goesWith,
  identified,
  timestamptz,
  updated,
} from '../../kernel/database/columns.ts'
import { organizations } from '../orgs/tables.ts'

export const users = pgTable(
  'users',
  {
    ...identified(),
    name: text().notNull(),
    username: text().notNull(),
    email: text().notNull(),
    /** argon2id; null: no password signs in. */
    password_hash: text(),
    public_key: text(),
    /** Encrypts files this person asks for; encrypted at rest. */
    secret_key: text(),
    /** Of the one-time password; encrypted at rest. */
    otp_secret: text(),
    /** The newest step of time whose code was taken: none before it is good any more. */
    otp_last_step: integer(),
    wechat: text().notNull().default(''),
    phone: text(),
    mfa_level: integer().notNull().default(0),
    source: text().notNull().default('local'),
    wecom_id: text().unique(),
    dingtalk_id: text().unique(),
    feishu_id: text().unique(),
    created_by: text().notNull().default(''),
    updated_by: text().notNull().default(''),
    comment: text(),
    /** Which this person reads, as chosen last; null until the first sign-in at the page. */
    language: text().$type<Language>(),
    is_service_account: boolean().notNull().default(false),
    is_active: boolean().notNull().default(true),
    need_update_password: boolean().notNull().default(false),
    is_first_login: boolean().notNull().default(true),
    date_expired: timestamptz(),
    date_joined: timestamptz().notNull().defaultNow(),
    date_updated: timestamptz().notNull().defaultNow(),
    last_login: timestamptz(),
    date_password_last_updated: timestamptz(),
  },
  (table) => [
    unique('users_username_key').on(table.username),
    unique('users_email_key').on(table.email),
    index('users_name_idx').on(table.name, table.id),
    index('users_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
    index('users_username_trgm').using('gin', table.username.op('gin_trgm_ops')),
    index('users_email_trgm').using('gin', table.email.op('gin_trgm_ops')),
  ],
)

/** Earlier passwords, so that they are not used again soon. */
export const passwordHistory = pgTable(
  'password_history',
  {
    ...identified(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    password_hash: text().notNull(),
    date_created: timestamptz().notNull().defaultNow(),
  },
  (table) => [index('password_history_user_idx').on(table.user_id, table.date_created)],
)

export const userGroups = pgTable(
  'user_groups',
  {
    ...identified(),
    name: text().notNull(),
    ...commented(),
    org_id: uuid()
      .notNull()
      .references(() => organizations.id),
    ...created(),
    ...updated(),
  },
  (table) => [unique('user_groups_name_key').on(table.org_id, table.name)],
)

export const userGroupMembers = pgTable(
  'user_group_members',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    usergroup_id: uuid()
      .notNull()
      .references(() => userGroups.id, { onDelete: 'cascade' }),
  },
  (table) => [
    unique('user_group_members_key').on(table.user_id, table.usergroup_id),
    index('user_group_members_group_idx').on(table.usergroup_id),
  ],
)

/** Links to set a password, as they were mailed: by the hash of what only the mail holds, good once. */
export const passwordLinks = pgTable(
  'password_links',
  {
    token_hash: text().primaryKey(),
    user_id: goesWith(() => users.id),
    date_expired: timestamptz().notNull(),
  },
  (table) => [index('password_links_user_idx').on(table.user_id)],
)

/** Failed sign-ins and the blocks they lead to. */
export const loginCounters = pgTable(
  'login_counters',
  {
    /**
     * `user_ip`, `ip` (counts), `user` (a block), `link_ip`, `link_user`, `chosen`, `review` (what was asked for), `page_failed`.
     */
    kind: text().notNull(),
    subject: text().notNull(),
    count: integer().notNull().default(1),
    date_expired: timestamptz().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.subject] }),
    index('login_counters_expired_idx').on(table.date_expired),
  ],
)
