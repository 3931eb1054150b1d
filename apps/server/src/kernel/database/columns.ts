import { type AnyPgColumn, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Columns many tables carry, called as the fields are. The kernel fills them. */
export const timestamptz = () => timestamp({ withTimezone: true })
export const identified = () => ({ id: uuid().primaryKey().defaultRandom() })
export const created = () => ({
  created_by: text().notNull().default(''),
  date_created: timestamptz().notNull().defaultNow(),
})
export const updated = () => ({
  updated_by: text().notNull().default(''),
  date_updated: timestamptz().notNull().defaultNow(),
})
export const commented = () => ({ comment: text().notNull().default('') })
/** The row this one belongs to, and is deleted with. */
export const goesWith = (row: () => AnyPgColumn) => uuid().notNull().references(row, { onDelete: 'cascade' })
