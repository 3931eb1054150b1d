import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { ExecutionStatus, ExecutionTrigger } from '@sallyport/contract'
import { identified, timestamptz } from '../database/columns.ts'

/** Work that runs, ran or is going to. */
export const executionRows = pgTable(
  'executions',
  {
    ...identified(),
    /** The organization it works for; that of all of them for what the system does for itself. */
    org_id: uuid().notNull(),
    kind: text().notNull(),
    /** What no more than so many of its kind may work on at once. */
    key: text(),
    /** It has the places of what is soon done. */
    is_small: boolean().notNull().default(false),
    /** Ids and plain values, never secrets: it is stored, and shown, in the clear. */
    input: jsonb().$type<Record<string, unknown>>().notNull(),
    status: text().$type<ExecutionStatus>().notNull().default('pending'),
    trigger: text().$type<ExecutionTrigger>().notNull(),
    user_id: uuid(),
    /** Who started it, as the books record people. */
    user: text().notNull(),
    language: text().notNull(),
    on_crash: text().$type<'resume' | 'fail'>().notNull(),
    timeout_seconds: integer().notNull(),
    /** How often it was begun. */
    attempt: integer().notNull().default(0),
    /** The process that works on it, heard of every second. */
    worker: uuid(),
    date_heartbeat: timestamptz(),
    date_cancel: timestamptz(),
    progress_done: integer(),
    progress_total: integer(),
    summary: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    /** A code of the catalogue of errors. */
    error: text(),
    date_published: timestamptz().notNull().defaultNow(),
    date_start: timestamptz(),
    date_finished: timestamptz(),
  },
  (table) => [
    index('executions_open')
      .on(table.kind, table.status)
      .where(sql`${table.date_finished} is null`),
    index('executions_published').on(table.org_id, table.date_published),
    index('executions_user').on(table.user_id, table.date_published),
    index('executions_user_trgm').using('gin', table.user.op('gin_trgm_ops')),
    index('executions_kind_trgm').using('gin', table.kind.op('gin_trgm_ops')),
  ],
)

/** What an execution said, line by line. */
export const executionLogs = pgTable(
  'execution_logs',
  {
    execution_id: uuid()
      .notNull()
      .references(() => executionRows.id, { onDelete: 'cascade' }),
    /** Counted from 0, without a gap. */
    line: integer().notNull(),
    date: timestamptz().notNull().defaultNow(),
    text: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.execution_id, table.line] })],
)
