import type { SecretType } from '@sallyport/contract'
import type { ProbeReason } from '@sallyport/contract/gateway/probes'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { commented, created, identified, timestamptz, updated } from '../../kernel/database/columns.ts'
import { assets } from '../assets/tables.ts'
import { organizations } from '../orgs/tables.ts'

export const accounts = pgTable(
  'accounts',
  {
    ...identified(),
    name: text().notNull(),
    username: text().notNull().default(''),
    secret_type: text().$type<SecretType>().notNull().default('password'),
    /** Encrypted at rest. */
    secret: text(),
    spec_info: jsonb().$type<Record<string, string>>().notNull().default({}),
    privileged: boolean().notNull().default(false),
    is_active: boolean().notNull().default(true),
    su_from_id: uuid().references((): AnyPgColumn => accounts.id, { onDelete: 'set null' }),
    asset_id: uuid()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    version: integer().notNull().default(0),
    source: text().notNull().default('local'),
    connectivity: text().notNull().default('-'),
    /** Why it is not `ok`, as gateways tell it. */
    connectivity_reason: jsonb().$type<ProbeReason>(),
    date_verified: timestamptz(),
    ...commented(),
    org_id: uuid()
      .notNull()
      .references(() => organizations.id),
    ...created(),
    ...updated(),
  },
  (table) => [
    unique('accounts_username_key').on(table.asset_id, table.username, table.secret_type),
    unique('accounts_name_key').on(table.asset_id, table.name),
    index('accounts_order_idx').on(table.org_id, table.name, table.id),
    index('accounts_updated_idx').on(table.org_id, table.date_updated, table.id),
    index('accounts_username_idx').on(table.username),
    index('accounts_usernames_idx').on(table.org_id, table.username),
    index('accounts_su_from_idx').on(table.su_from_id),
    index('accounts_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
    index('accounts_username_trgm').using('gin', table.username.op('gin_trgm_ops')),
  ],
)

/** What accounts are made of; none is bound to its template afterwards. */
export const accountTemplates = pgTable(
  'account_templates',
  {
    ...identified(),
    name: text().notNull(),
    username: text().notNull().default(''),
    secret_type: text().$type<SecretType>().notNull().default('password'),
    /** Encrypted at rest. */
    secret: text(),
    spec_info: jsonb().$type<Record<string, string>>().notNull().default({}),
    privileged: boolean().notNull().default(false),
    is_active: boolean().notNull().default(true),
    ...commented(),
    org_id: uuid()
      .notNull()
      .references(() => organizations.id),
    ...created(),
    ...updated(),
  },
  (table) => [
    unique('account_templates_name_key').on(table.org_id, table.name),
    index('account_templates_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
    index('account_templates_username_trgm').using('gin', table.username.op('gin_trgm_ops')),
  ],
)

/** How many there are (kernel/counts). */
export const accountCounts = pgTable(
  'account_counts',
  { org_id: uuid().notNull(), amount: integer().notNull() },
  (table) => [index('account_counts_idx').on(table.org_id)],
)

/** What an account once opened with. Rows outlive the account. */
export const accountHistories = pgTable(
  'account_histories',
  {
    history_id: integer().primaryKey().generatedAlwaysAsIdentity(),
    id: uuid().notNull(),
    org_id: uuid().notNull(),
    /** Encrypted at rest. */
    secret: text(),
    secret_type: text().$type<SecretType>().notNull(),
    version: integer().notNull(),
    history_user: uuid(),
    history_date: timestamptz().notNull().defaultNow(),
  },
  (table) => [index('account_histories_idx').on(table.id, table.history_id)],
)
