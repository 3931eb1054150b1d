import { jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '../../kernel/database/columns.ts'
import type { Said } from './failure.ts'

/** People as they were read (`FoundPerson` of users). */
type People = { username: string; name: string; email: string; groups?: readonly string[] }[]

/** What was read of the directory as it is set; another one, or another way to search it, is read anew. */
export const directoryReadings = pgTable('directory_readings', {
  /** A digest of what was asked for, and where. */
  directory: text().primaryKey(),
  execution_id: uuid().notNull(),
  /** Null until it was read. */
  people: jsonb().$type<People>(),
  /** Why it could not be. */
  failure: jsonb().$type<Said>(),
  date_read: timestamptz().notNull().defaultNow(),
})
