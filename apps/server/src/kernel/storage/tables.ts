import { boolean, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core'

/** The one object storage this database's rows speak of: its marker holds the id. */
export const claimedStorage = pgTable('claimed_storage', {
  /** There is one row. */
  is_claimed: boolean().primaryKey().default(true),
  id: uuid().notNull(),
  date_created: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
