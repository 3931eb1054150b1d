import { pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Key pairs every node shares; the private half is encrypted like any other secret. */
export const serverKeys = pgTable('server_keys', {
  name: text().primaryKey(),
  public_key: text().notNull(),
  private_key: text().notNull(),
  date_created: timestamp({ withTimezone: true }).notNull().defaultNow(),
})
