import type { ProbeMethod, ProbeResult } from '@sallyport/contract/gateway/probes'
import { boolean, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { goesWith, identified, timestamptz } from '../../kernel/database/columns.ts'
import { executionRows } from '../../kernel/executions/tables.ts'
import { terminals } from '../terminal/tables.ts'

/** Whom a gateway is to try and how; ids alone, for what opens it is read when it is taken. */
export interface PlannedTarget {
  asset: string
  account: string | null
  method: ProbeMethod
  port: number
  /** The port of its own a gateway of a network zone is to lead to. */
  leads_to?: number
}

/** Targets handed to a gateway; a row goes when its execution has what came of it. */
export const probeBatches = pgTable(
  'probe_batches',
  {
    ...identified(),
    execution_id: goesWith(() => executionRows.id),
    terminal_id: uuid()
      .notNull()
      .references(() => terminals.id, { onDelete: 'cascade' }),
    /** Of the gateway's process it was given to. */
    boot_id: text(),
    /** Who ordered it, as the books record people. */
    user: text().notNull(),
    facts: boolean().notNull(),
    targets: jsonb().$type<PlannedTarget[]>().notNull(),
    results: jsonb().$type<ProbeResult[]>().notNull().default([]),
    is_finished: boolean().notNull().default(false),
    date_created: timestamptz().notNull().defaultNow(),
    /** When the gateway last told of it. */
    date_heard: timestamptz(),
  },
  (table) => [
    index('probe_batches_execution_idx').on(table.execution_id),
    index('probe_batches_terminal_idx').on(table.terminal_id),
  ],
)
