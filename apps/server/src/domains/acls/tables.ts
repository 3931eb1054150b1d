import { boolean, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { commented, created, goesWith, identified, updated } from '../../kernel/database/columns.ts'
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
