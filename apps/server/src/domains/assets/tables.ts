import type { AutofillMode, Category, StoredProtocol } from '@sallyport/contract'
import type { ProbeReason } from '@sallyport/contract/gateway/probes'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import {
  commented,
  created,
  goesWith,
  identified,
  timestamptz,
  updated,
} from '../../kernel/database/columns.ts'
import { organizations } from '../orgs/tables.ts'
import { users } from '../users/tables.ts'

const ofOrganization = () =>
  uuid()
    .notNull()
    .references(() => organizations.id)

export const platforms = pgTable(
  'platforms',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity({ startWith: 1001 }),
    name: text().notNull().unique(),
    internal: boolean().notNull().default(false),
    category: text().$type<Category>().notNull(),
    type: text().notNull(),
    charset: text().notNull(),
    protocols: jsonb().$type<StoredProtocol[]>().notNull().default([]),
    domain_enabled: boolean().notNull().default(true),
    su_enabled: boolean().notNull().default(false),
    su_method: text().$type<'sudo' | 'su'>(),
    automation: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    ...commented(),
    ...created(),
    ...updated(),
  },
  (table) => [index('platforms_category_idx').on(table.category, table.type)],
)

/** The tree of an organization (kernel/tree). Paths, of numbers and of names, are put together when they are read. */
export const nodes = pgTable(
  'nodes',
  {
    ...identified(),
    parent_id: uuid().references((): AnyPgColumn => nodes.id),
    /** Among the children of its parent; of a root among all roots. */
    number: integer().notNull(),
    value: text().notNull(),
    /** Number of the next child; never used twice. */
    child_mark: integer().notNull().default(0),
    org_id: ofOrganization(),
    ...created(),
    ...updated(),
  },
  (table) => [
    unique('nodes_value_key').on(table.parent_id, table.value),
    unique('nodes_number_key').on(table.parent_id, table.number),
    uniqueIndex('nodes_root_number_key')
      .on(table.number)
      .where(sql`${table.parent_id} is null`),
    uniqueIndex('nodes_root_key')
      .on(table.org_id)
      .where(sql`${table.parent_id} is null`),
    index('nodes_parent_idx').on(table.parent_id, table.id),
    index('nodes_order_idx').on(table.org_id, table.value, table.id),
    index('nodes_value_trgm').using('gin', table.value.op('gin_trgm_ops')),
  ],
)

/** Each node that has (or had) children with itself and everything above it; kept by triggers (kernel/tree). */
export const nodeBranches = pgTable(
  'node_branches',
  {
    ancestor_id: uuid().notNull(),
    branch_id: uuid().notNull(),
    /** Levels between them. */
    distance: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ancestor_id, table.branch_id] }),
    index('node_branches_branch_idx').on(table.branch_id, table.ancestor_id),
  ],
)

export const domains = pgTable(
  'domains',
  {
    ...identified(),
    name: text().notNull(),
    ...commented(),
    org_id: ofOrganization(),
    ...created(),
    ...updated(),
  },
  (table) => [unique('domains_name_key').on(table.org_id, table.name)],
)

export const assets = pgTable(
  'assets',
  {
    ...identified(),
    name: text().notNull(),
    address: text().notNull(),
    platform_id: integer()
      .notNull()
      .references(() => platforms.id),
    domain_id: uuid().references(() => domains.id, { onDelete: 'set null' }),
    protocols: jsonb().$type<{ name: string; port: number }[]>().notNull().default([]),
    info: jsonb().$type<Record<string, string>>().notNull().default({}),
    connectivity: text().notNull().default('-'),
    /** Why it is not `ok`, as gateways tell it. */
    connectivity_reason: jsonb().$type<ProbeReason>(),
    date_verified: timestamptz(),
    is_active: boolean().notNull().default(true),
    /** Databases. */
    db_name: text().notNull().default(''),
    use_ssl: boolean().notNull().default(false),
    ca_cert: text(),
    client_cert: text(),
    client_key: text(),
    allow_invalid_cert: boolean().notNull().default(false),
    /** Websites. */
    autofill: text().$type<AutofillMode>().notNull().default('basic'),
    username_selector: text().notNull().default('name=username'),
    password_selector: text().notNull().default('name=password'),
    submit_selector: text().notNull().default('id=login_button'),
    script: jsonb().notNull().default([]),
    ...commented(),
    org_id: ofOrganization(),
    ...created(),
    ...updated(),
  },
  (table) => [
    unique('assets_name_key').on(table.org_id, table.name),
    index('assets_order_idx').on(table.name, table.id),
    index('assets_created_idx').on(table.org_id, table.date_created),
    index('assets_address_idx').on(table.address),
    index('assets_platform_idx').on(table.platform_id),
    index('assets_org_platform_idx').on(table.org_id, table.platform_id),
    index('assets_domain_idx').on(table.domain_id, table.platform_id),
    index('assets_name_trgm').using('gin', table.name.op('gin_trgm_ops')),
    index('assets_address_trgm').using('gin', table.address.op('gin_trgm_ops')),
    index('assets_comment_trgm').using('gin', table.comment.op('gin_trgm_ops')),
  ],
)

/** How many there are (kernel/counts). */
export const assetCounts = pgTable(
  'asset_counts',
  { org_id: uuid().notNull(), platform_id: integer().notNull(), amount: integer().notNull() },
  (table) => [index('asset_counts_idx').on(table.org_id, table.platform_id)],
)

export const assetNodes = pgTable(
  'asset_nodes',
  {
    asset_id: goesWith(() => assets.id),
    node_id: goesWith(() => nodes.id),
  },
  (table) => [
    primaryKey({ columns: [table.asset_id, table.node_id] }),
    index('asset_nodes_node_idx').on(table.node_id, table.asset_id),
  ],
)

/** Those that lie in several nodes, or did: a trigger on where they lie adds them, none goes but with its asset, and some are there twice. */
export const sharedAssets = pgTable('shared_assets', { asset_id: goesWith(() => assets.id) }, (table) => [
  index('shared_assets_idx').on(table.asset_id),
])

/** How many assets lie in each node, not below it (kernel/counts). */
export const assetNodeCounts = pgTable(
  'asset_node_counts',
  { node_id: uuid().notNull(), amount: integer().notNull() },
  (table) => [index('asset_node_counts_idx').on(table.node_id)],
)

export const labels = pgTable(
  'labels',
  {
    ...identified(),
    name: text().notNull(),
    value: text().notNull(),
    category: text().notNull().default('U'),
    is_active: boolean().notNull().default(true),
    ...commented(),
    org_id: ofOrganization(),
    ...created(),
    ...updated(),
  },
  (table) => [unique('labels_name_value_key').on(table.org_id, table.name, table.value)],
)

export const assetLabels = pgTable(
  'asset_labels',
  {
    asset_id: goesWith(() => assets.id),
    label_id: goesWith(() => labels.id),
  },
  (table) => [
    primaryKey({ columns: [table.asset_id, table.label_id] }),
    index('asset_labels_label_idx').on(table.label_id),
  ],
)

export const favoriteAssets = pgTable(
  'favorite_assets',
  {
    ...identified(),
    user_id: goesWith(() => users.id),
    asset: goesWith(() => assets.id),
    ...created(),
  },
  (table) => [
    unique('favorite_assets_key').on(table.user_id, table.asset),
    index('favorite_assets_asset_idx').on(table.asset),
  ],
)
