import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { identified, timestamptz } from '../../kernel/database/columns.ts'

/** Names, not references: the books outlive the people and things they speak of. */
export const loginLogs = pgTable(
  'login_logs',
  {
    ...identified(),
    username: text().notNull(),
    type: text().notNull(),
    ip: text().notNull(),
    city: text(),
    user_agent: text(),
    mfa: integer().notNull().default(2),
    reason: text().notNull().default(''),
    backend: text().notNull().default(''),
    status: boolean().notNull(),
    datetime: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    index('login_logs_datetime_idx').on(table.datetime),
    index('login_logs_username_idx').on(table.username, table.datetime),
    // From which networks somebody signed in before.
    index('login_logs_places_idx')
      .on(table.username, table.ip.op('text_pattern_ops'))
      .where(sql`${table.status}`),
    index('login_logs_username_trgm').using('gin', table.username.op('gin_trgm_ops')),
    index('login_logs_ip_trgm').using('gin', table.ip.op('gin_trgm_ops')),
    index('login_logs_reason_idx').on(table.reason),
    index('login_logs_backend_idx').on(table.backend),
    index('login_logs_city_idx').on(table.city),
  ],
)

export const operateLogs = pgTable(
  'operate_logs',
  {
    ...identified(),
    user: text().notNull(),
    user_id: uuid(),
    action: text().notNull(),
    /** `app.model`; shown by its name in the reader's language. */
    resource_type: text().notNull(),
    resource: text().notNull(),
    resource_id: text().notNull().default(''),
    remote_addr: text(),
    org_id: uuid().notNull(),
    /** `{field: [before, after]}`, secrets as stars. */
    diff: jsonb().$type<Record<string, [string, string]>>(),
    datetime: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    index('operate_logs_org_idx').on(table.org_id, table.datetime),
    index('operate_logs_datetime_idx').on(table.datetime),
    index('operate_logs_resource_idx').on(table.resource_id, table.datetime),
    index('operate_logs_user_idx').on(table.user_id, table.datetime),
    index('operate_logs_action_idx').on(table.action),
    index('operate_logs_type_idx').on(table.resource_type),
    index('operate_logs_resource_trgm').using('gin', table.resource.op('gin_trgm_ops')),
    index('operate_logs_user_trgm').using('gin', table.user.op('gin_trgm_ops')),
  ],
)

/** How many there are (kernel/counts). */
export const operateLogCounts = pgTable(
  'operate_log_counts',
  { org_id: uuid().notNull(), amount: integer().notNull() },
  (table) => [index('operate_log_counts_idx').on(table.org_id)],
)

export const passwordChangeLogs = pgTable(
  'password_change_logs',
  {
    ...identified(),
    user: text().notNull(),
    user_id: uuid().notNull(),
    change_by: text().notNull(),
    remote_addr: text(),
    datetime: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    index('password_change_logs_datetime_idx').on(table.datetime),
    index('password_change_logs_user_trgm').using('gin', table.user.op('gin_trgm_ops')),
    index('password_change_logs_change_by_trgm').using('gin', table.change_by.op('gin_trgm_ops')),
    index('password_change_logs_remote_addr_trgm').using('gin', table.remote_addr.op('gin_trgm_ops')),
  ],
)

/** What happened around an object besides changes of it: sessions, sign-ins, tasks. */
export const activities = pgTable(
  'activities',
  {
    ...identified(),
    resource_id: uuid().notNull(),
    r_type: text().notNull(),
    /** What the sentence is filled with. */
    detail: jsonb().$type<Record<string, string>>().notNull(),
    detail_id: text().notNull().default(''),
    org_id: uuid().notNull(),
    datetime: timestamptz().notNull().defaultNow(),
  },
  (table) => [
    index('activities_resource_idx').on(table.resource_id, table.datetime),
    index('activities_datetime_idx').on(table.datetime),
  ],
)
