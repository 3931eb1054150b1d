import { boolean, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../kernel/database/columns.ts'

/** Settings that were changed; the others have their declared default. */
export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  category: text().notNull(),
  encrypted: boolean().notNull().default(false),
  date_updated: timestamptz().notNull().defaultNow(),
})
