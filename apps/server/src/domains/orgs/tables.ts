import { boolean, pgTable, text } from 'drizzle-orm/pg-core'
import { commented, created, identified, updated } from '../../kernel/database/columns.ts'

export const organizations = pgTable('organizations', {
  ...identified(),
  name: text().notNull().unique(),
  ...commented(),
  builtin: boolean().notNull().default(false),
  ...created(),
  ...updated(),
})
