import type { HostKeyVerdict } from '@sallyport/contract/gateway/host-keys'
import type { TerminalTask } from '@sallyport/contract/gateway/reports'
import type { EndReason } from '@sallyport/contract/recording'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { commented, created, identified, timestamptz, updated } from '../../kernel/database/columns.ts'
import { assets } from '../assets/tables.ts'
import { users } from '../users/tables.ts'

/** Components: the gateways, and other programs that register. A deleted one stays for the sessions it carried. */
export const terminals = pgTable(
  'terminals',
  {
    ...identified(),
    name: text().notNull(),
    type: text().notNull(),
    remote_addr: text().notNull().default(''),
    command_storage: text().notNull().default('default'),
    replay_storage: text().notNull().default('default'),
    user_id: uuid().references(() => users.id, { onDelete: 'set null' }),
    is_deleted: boolean().notNull().default(false),
    /** What it last said of itself. */
    boot_id: text(),
    http: text(),
    session_online: integer().notNull().default(0),
    cpu_load: doublePrecision(),
    memory_used: doublePrecision(),
    disk_used: doublePrecision(),
    disk_free_bytes: bigint({ mode: 'number' }),
    disk_total_bytes: bigint({ mode: 'number' }),
    disk_is_low: boolean(),
    date_reported: timestamptz(),
    ...commented(),
    ...created(),
    ...updated(),
  },
  (table) => [index('terminals_user_idx').on(table.user_id)],
)

/** A sample of the reports, for the curve; the last one is the terminal's own row. */
export const terminalStatuses = pgTable(
  'terminal_statuses',
  {
    ...identified(),
    terminal: uuid()
      .notNull()
      .references(() => terminals.id, { onDelete: 'cascade' }),
    sessions: jsonb().$type<string[]>().notNull().default([]),
    session_online: integer().notNull().default(0),
    cpu_load: doublePrecision().notNull().default(0),
    memory_used: doublePrecision().notNull().default(0),
    disk_used: doublePrecision().notNull().default(0),
    date_created: timestamptz().notNull().defaultNow(),
  },
  (table) => [index('terminal_statuses_idx').on(table.terminal, table.date_created)],
)

/** Names, not references: the books outlive the people and things they speak of. */
export const sessions = pgTable(
  'sessions',
  {
    ...identified(),
    user: text().notNull(),
    asset: text().notNull(),
    account: text().notNull(),
    user_id: text().notNull().default(''),
    asset_id: text().notNull().default(''),
    account_id: text().notNull(),
    protocol: text().notNull(),
    type: text().notNull().default('normal'),
    login_from: text().notNull().default('ST'),
    remote_addr: text(),
    comment: text(),
    terminal_id: uuid().references(() => terminals.id),
    /** Of the gateway's process that carries it. */
    boot_id: text(),
    is_success: boolean().notNull().default(true),
    is_finished: boolean().notNull().default(false),
    has_replay: boolean().notNull().default(false),
    has_command: boolean().notNull().default(false),
    end_reason: text().$type<EndReason>(),
    end_detail: text(),
    org_id: uuid().notNull(),
    date_start: timestamptz().notNull().defaultNow(),
    date_end: timestamptz(),
    /** Known once a recording is complete. */
    replay_version: integer(),
  },
  (table) => [
    index('sessions_org_idx').on(table.org_id, table.date_start, table.id),
    index('sessions_start_idx').on(table.date_start, table.id),
    index('sessions_user_idx').on(table.user_id, table.date_start),
    index('sessions_asset_idx').on(table.asset_id, table.date_start),
    index('sessions_running_idx')
      .on(table.terminal_id)
      .where(sql`not ${table.is_finished}`),
    index('sessions_user_trgm').using('gin', table.user.op('gin_trgm_ops')),
    index('sessions_asset_trgm').using('gin', table.asset.op('gin_trgm_ops')),
    index('sessions_account_trgm').using('gin', table.account.op('gin_trgm_ops')),
    index('sessions_remote_addr_trgm').using('gin', table.remote_addr.op('gin_trgm_ops')),
  ],
)

/** How many there are (kernel/counts). */
export const sessionCounts = pgTable(
  'session_counts',
  { org_id: uuid().notNull(), amount: integer().notNull() },
  (table) => [index('session_counts_idx').on(table.org_id)],
)

/** What was recorded of a session, numbered from 1. */
export const recordings = pgTable(
  'recordings',
  {
    session_id: uuid()
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    /** What its first chunk says. */
    kind: text(),
    /** Known once it is complete. */
    chunks: integer(),
    duration_ms: integer(),
  },
  (table) => [primaryKey({ columns: [table.session_id, table.number] })],
)

/** Parts of recordings; their bytes are in the object storage. */
export const recordingChunks = pgTable(
  'recording_chunks',
  {
    session_id: uuid().notNull(),
    recording: integer().notNull(),
    number: integer().notNull(),
    start_ms: integer().notNull(),
    end_ms: integer().notNull(),
    size: integer().notNull(),
    sha256: text().notNull(),
    is_keyframe: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.session_id, table.recording, table.number] }),
    foreignKey({
      name: 'recording_chunks_recording_fk',
      columns: [table.session_id, table.recording],
      foreignColumns: [recordings.session_id, recordings.number],
    }).onDelete('cascade'),
  ],
)

export const commands = pgTable(
  'commands',
  {
    ...identified(),
    user: text().notNull(),
    asset: text().notNull(),
    account: text().notNull(),
    session: uuid().notNull(),
    input: text().notNull(),
    output: text().notNull().default(''),
    risk_level: integer().notNull().default(0),
    org_id: uuid().notNull(),
    /** Seconds since the epoch, and the milliseconds of that second. */
    timestamp: integer().notNull(),
    millisecond: integer().notNull().default(0),
    /** Which of its session's commands it is; 0 where a component does not count. */
    sequence: integer().notNull().default(0),
  },
  (table) => [
    index('commands_org_idx').on(table.org_id, table.timestamp, table.sequence, table.id),
    index('commands_time_idx').on(table.timestamp, table.sequence, table.id),
    index('commands_session_idx').on(table.session, table.timestamp, table.sequence),
    index('commands_input_trgm').using('gin', table.input.op('gin_trgm_ops')),
    index('commands_user_trgm').using('gin', table.user.op('gin_trgm_ops')),
    index('commands_asset_trgm').using('gin', table.asset.op('gin_trgm_ops')),
    index('commands_account_trgm').using('gin', table.account.op('gin_trgm_ops')),
    index('commands_user_idx').on(table.user.op('text_pattern_ops'), table.timestamp),
    index('commands_asset_idx').on(table.asset, table.timestamp),
  ],
)

/** How many there are (kernel/counts). */
export const commandCounts = pgTable(
  'command_counts',
  { org_id: uuid().notNull(), amount: integer().notNull() },
  (table) => [index('command_counts_idx').on(table.org_id)],
)

/** What targets showed, by asset and address. */
export const hostKeys = pgTable(
  'host_keys',
  {
    ...identified(),
    asset_id: uuid()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    /** `host:port` */
    address: text().notNull(),
    algorithm: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    state: text().$type<HostKeyVerdict['state']>().notNull(),
    terminal_id: uuid().references(() => terminals.id, { onDelete: 'set null' }),
    org_id: uuid().notNull(),
    date_created: timestamptz().notNull().defaultNow(),
    ...updated(),
  },
  (table) => [
    unique('host_keys_key_unique').on(table.asset_id, table.address, table.fingerprint),
    // Of several gateways that see a machine for the first time, one is first.
    uniqueIndex('host_keys_accepted_unique')
      .on(table.asset_id, table.address)
      .where(sql`${table.state} = 'accepted'`),
    index('host_keys_org_idx').on(table.org_id, table.date_created),
    index('host_keys_address_trgm').using('gin', table.address.op('gin_trgm_ops')),
    index('host_keys_fingerprint_trgm').using('gin', table.fingerprint.op('gin_trgm_ops')),
  ],
)

/** What a component is told to do. */
export const terminalTasks = pgTable(
  'terminal_tasks',
  {
    ...identified(),
    name: text().notNull(),
    args: text().notNull(),
    kwargs: jsonb().$type<TerminalTask['kwargs']>().notNull(),
    terminal: uuid()
      .notNull()
      .references(() => terminals.id, { onDelete: 'cascade' }),
    is_finished: boolean().notNull().default(false),
    date_finished: timestamptz(),
    ...commented(),
    ...created(),
    ...updated(),
  },
  (table) => [
    index('terminal_tasks_args_idx').on(table.args, table.date_created),
    index('terminal_tasks_open_idx')
      .on(table.terminal, table.date_created)
      .where(sql`not ${table.is_finished}`),
  ],
)
