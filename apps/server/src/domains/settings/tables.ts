import { boolean, customType, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../kernel/database/columns.ts'

/** Settings that were changed; the others have their declared default. */
export const settings = pgTable('settings', {
  name: text().primaryKey(),
  value: jsonb().notNull(),
  category: text().notNull(),
  encrypted: boolean().notNull().default(false),
  date_updated: timestamptz().notNull().defaultNow(),
})

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Pictures that were set in place of our own, each by its digest. */
export const pictures = pgTable('pictures', {
  file: text().primaryKey(),
  type: text().notNull(),
  content: bytes().notNull(),
})
