import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Rows a person ticked in a list, for the next call on that list. */
export const selections = pgTable(
  'selections',
  {
    id: uuid().primaryKey().defaultRandom(),
    user_id: uuid().notNull(),
    org_id: uuid().notNull(),
    /** The list it was first used on; unusable elsewhere. */
    list: text(),
    ids: jsonb().$type<string[]>().notNull(),
    date_expired: timestamp({ withTimezone: true }).notNull(),
  },
  (table) => [index('selections_date_expired').on(table.date_expired)],
)
