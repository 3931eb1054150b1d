import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { commented, created, identified, timestamptz, updated } from '../../kernel/database/columns.ts'
import { assets, nodes } from '../assets/tables.ts'
import { organizations } from '../orgs/tables.ts'
import { userGroups, users } from '../users/tables.ts'

export const assetPermissions = pgTable(
  'asset_permissions',
  {
    ...identified(),
    name: text().notNull(),
    /** Usernames and the aliases `@ALL`, `@INPUT`, `@USER`. */
    accounts: jsonb().$type<string[]>().notNull().default([]),
    actions: integer().notNull(),
    is_active: boolean().notNull().default(true),
    date_start: timestamptz().notNull(),
    date_expired: timestamptz().notNull(),
    from_ticket: boolean().notNull().default(false),
    ...commented(),
    org_id: uuid()
      .notNull()
      .references(() => organizations.id),
    ...created(),
    ...updated(),
  },
  (table) => [
    unique('asset_permissions_name_key').on(table.org_id, table.name),
    index('asset_permissions_expired_idx').on(table.date_expired),
    index('asset_permissions_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
  ],
)

/** The four things a grant names. The first column of each pair of indexes is what is asked for. */
const ofGrant = () =>
  uuid()
    .notNull()
    .references(() => assetPermissions.id, { onDelete: 'cascade' })
const numbered = () => ({ id: integer().primaryKey().generatedAlwaysAsIdentity() })

export const permissionUsers = pgTable(
  'asset_permission_users',
  {
    ...numbered(),
    assetpermission: ofGrant(),
    user: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [
    unique('asset_permission_users_key').on(table.assetpermission, table.user),
    index('asset_permission_users_idx').on(table.user, table.assetpermission),
  ],
)
export const permissionUserGroups = pgTable(
  'asset_permission_user_groups',
  {
    ...numbered(),
    assetpermission: ofGrant(),
    usergroup: uuid()
      .notNull()
      .references(() => userGroups.id, { onDelete: 'cascade' }),
  },
  (table) => [
    unique('asset_permission_user_groups_key').on(table.assetpermission, table.usergroup),
    index('asset_permission_user_groups_idx').on(table.usergroup, table.assetpermission),
  ],
)
export const permissionAssets = pgTable(
  'asset_permission_assets',
  {
    ...numbered(),
    assetpermission: ofGrant(),
    asset: uuid()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
  },
  (table) => [
    unique('asset_permission_assets_key').on(table.assetpermission, table.asset),
    index('asset_permission_assets_idx').on(table.asset, table.assetpermission),
  ],
)
export const permissionNodes = pgTable(
  'asset_permission_nodes',
  {
    ...numbered(),
    assetpermission: ofGrant(),
    node: uuid()
      .notNull()
      .references(() => nodes.id, { onDelete: 'cascade' }),
  },
  (table) => [
    unique('asset_permission_nodes_key').on(table.assetpermission, table.node),
    index('asset_permission_nodes_idx').on(table.node, table.assetpermission),
  ],
)
