import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { commented, created, goesWith, identified, updated } from '../../kernel/database/columns.ts'
import { organizations } from '../orgs/tables.ts'
import { users } from '../users/tables.ts'
import type { Rules } from './matching.ts'

export const loginAcls = pgTable(
  'login_acls',
  {
    ...identified(),
    name: text().notNull(),
    priority: integer().notNull().default(50),
    user_id: goesWith(() => users.id),
    rules: jsonb().$type<Rules>().notNull(),
    action: text().notNull(),
    is_active: boolean().notNull().default(true),
    ...commented(),
    ...created(),
    ...updated(),
  },
  (table) => [index('login_acls_user_idx').on(table.user_id)],
)

export const loginAclReviewers = pgTable(
  'login_acl_reviewers',
  { loginacl_id: goesWith(() => loginAcls.id), user_id: goesWith(() => users.id) },
  (table) => [primaryKey({ columns: [table.loginacl_id, table.user_id] }), index().on(table.user_id)],
)

const ofOrganization = () =>
  uuid()
    .notNull()
    .references(() => organizations.id)

/** What rules about assets have in common: whom and what they are about, and what they do. */
const ruleColumns = () => ({
  ...identified(),
  name: text().notNull(),
  priority: integer().notNull().default(50),
  users: jsonb().$type<{ username_group: string[] }>().notNull(),
  assets: jsonb().$type<{ name_group: string[]; address_group: string[] }>().notNull(),
  accounts: jsonb().$type<{ username_group: string[] }>().notNull(),
  action: text().notNull(),
  is_active: boolean().notNull().default(true),
  ...commented(),
  org_id: ofOrganization(),
  ...created(),
  ...updated(),
})

export const loginAssetAcls = pgTable('login_asset_acls', ruleColumns(), (table) => [
  unique('login_asset_acls_name_key').on(table.org_id, table.name),
  index('login_asset_acls_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
])

export const loginAssetAclReviewers = pgTable(
  'login_asset_acl_reviewers',
  { loginassetacl_id: goesWith(() => loginAssetAcls.id), user_id: goesWith(() => users.id) },
  (table) => [primaryKey({ columns: [table.loginassetacl_id, table.user_id] }), index().on(table.user_id)],
)

export const commandGroups = pgTable(
  'command_groups',
  {
    ...identified(),
    name: text().notNull(),
    type: text().$type<'command' | 'regex'>().notNull(),
    content: text().notNull(),
    /** Of the content, made when it is written: gateways get it with every connection. */
    pattern: text().notNull(),
    ignore_case: boolean().notNull(),
    ...commented(),
    org_id: ofOrganization(),
    ...created(),
    ...updated(),
  },
  (table) => [
    unique('command_groups_name_key').on(table.org_id, table.name),
    index('command_groups_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
  ],
)

export const commandFilterAcls = pgTable('command_filter_acls', ruleColumns(), (table) => [
  unique('command_filter_acls_name_key').on(table.org_id, table.name),
  index('command_filter_acls_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
])

export const commandFilterAclReviewers = pgTable(
  'command_filter_acl_reviewers',
  { commandfilteracl_id: goesWith(() => commandFilterAcls.id), user_id: goesWith(() => users.id) },
  (table) => [primaryKey({ columns: [table.commandfilteracl_id, table.user_id] }), index().on(table.user_id)],
)

export const commandFilterAclGroups = pgTable(
  'command_filter_acl_groups',
  {
    commandfilteracl_id: goesWith(() => commandFilterAcls.id),
    commandgroup_id: goesWith(() => commandGroups.id),
  },
  (table) => [
    primaryKey({ columns: [table.commandfilteracl_id, table.commandgroup_id] }),
    index().on(table.commandgroup_id),
  ],
)
