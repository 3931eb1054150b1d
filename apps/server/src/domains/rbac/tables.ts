import { boolean, check, index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { commented, created, identified, updated } from '../../kernel/database/columns.ts'
import { organizations } from '../orgs/tables.ts'
import { users } from '../users/tables.ts'

export const roles = pgTable(
  'roles',
  {
    ...identified(),
    name: text().notNull(),
    scope: text().notNull(),
    /** Permission strings; what the scope cannot hold is ignored when it is read. */
    permissions: jsonb().$type<string[]>().notNull().default([]),
    builtin: boolean().notNull().default(false),
    ...commented(),
    ...created(),
    ...updated(),
  },
  (table) => [
    unique('roles_name_scope_key').on(table.name, table.scope),
    check('roles_scope_check', sql`${table.scope} in ('system', 'org')`),
  ],
)

/** Who holds which role; in an organization, or (without one) in the whole system. Membership of an organization is a role in it. */
export const roleBindings = pgTable(
  'role_bindings',
  {
    ...identified(),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role_id: uuid()
      .notNull()
      .references(() => roles.id),
    org_id: uuid().references(() => organizations.id, { onDelete: 'cascade' }),
    ...created(),
  },
  (table) => [
    unique('role_bindings_key').on(table.user_id, table.role_id, table.org_id).nullsNotDistinct(),
    index('role_bindings_org_idx').on(table.org_id, table.user_id),
    index('role_bindings_role_idx').on(table.role_id),
  ],
)
