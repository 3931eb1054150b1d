/** Components (gateways and other programs that register), what they are told to do, and how people reach them. */
import { terminationReasonMax } from '../constants.ts'
import type { TerminalTask as Order } from '../gateway/reports.ts'
import type { TerminalConfigTold } from '../gateway/registration.ts'
import { answer, onList, onRow, service } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  float,
  integer,
  json,
  list,
  object,
  plainChoice,
  text,
  uuid,
  value,
} from '../resource/field.ts'
import { commented, created, identified, resource, type RowOf, updated } from '../resource/resource.ts'
import type { TreeNode } from '../resource/tree.ts'
import type { Session } from './terminal.ts'

export const terminalTypes = choices('terminal_type', [
  'koko',
  'guacamole',
  'omnidb',
  'xrdp',
  'lion',
  'core',
  'celery',
  'magnus',
  'razor',
  'tinker',
])
export const terminalLoads = choices('terminal_load', ['critical', 'high', 'normal', 'offline'])
export const taskNames = choices('terminal_task', [
  'kill_session',
  'disconnect_user',
  'probe',
  'review_decided',
  'host_key_refused',
])

const sessionsReportedMax = 10_000
const bytes = integer({ required: true, min: 0, max: Number.MAX_SAFE_INTEGER })
/** What a component says of itself, over its link and in the calls `report`. */
export const statusReport = {
  /** Ids of the sessions that are on the books and go on; left out, the report is refused. */
  sessions: list({ max: 36, maxItems: sessionsReportedMax, verbatim: true }),
  session_online: integer({ min: 0 }),
  /** One-minute load for each processor. */
  cpu_load: float(),
  /** Per cent. */
  memory_used: float(),
  disk_used: float(),
  /** Of the file system that holds recordings not uploaded yet. */
  disk: object({
    free_bytes: bytes,
    total_bytes: bytes,
    /** There is too little left for new sessions, or soon will be: administrators are warned. */
    is_low: boolean({ required: true }),
  }),
  /** New for each process of a gateway; other components do not say it. */
  boot_id: text({ max: 64 }),
  /** Under which address servers reach its browser listener: on the machine that reports, nowhere else. */
  http: text({ max: 256 }),
}
/** Answered with what it has still to do. */
const report = {
  method: 'POST',
  access: 'component',
  body: statusReport,
  answer: answer.json<OpenTask[]>(),
  status: 201,
  records: { unrecorded: 'figures of a component, several times a minute' },
} as const
export interface OpenTask {
  id: string
  name: string
  /** The session's id. */
  args: string
  kwargs: Order['kwargs']
  terminal: string
  is_finished: boolean
  date_finished: string | null
  comment: string
  created_by: string
  updated_by: string
  date_created: string
  date_updated: string
}
/** They register themselves, and stay, deleted, for the sessions they carried. */
export const Terminal = resource({
  app: 'terminal',
  model: 'terminal',
  path: 'terminal/terminals',
  scope: 'system',
  order: ['name'],
  actions: ['list', 'retrieve', 'update'],
  filters: { load: { kind: 'text' } },
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    type: plainChoice(terminalTypes, { readOnly: true, filter: true }),
    remote_addr: text({ max: 128, filter: true, search: true }),
    session_online: computed(integer()),
    command_storage: text({ max: 128, required: true }),
    replay_storage: text({ max: 128, required: true }),
    load: choice(terminalLoads, { readOnly: true }),
    stat: object(
      {
        id: uuid(),
        cpu_load: float(),
        memory_used: float(),
        disk_used: float(),
        session_online: integer(),
        terminal: uuid(),
        date_created: datetime(),
      },
      { nullable: true, readOnly: true },
    ),
    /** Of recordings not uploaded yet; null where the component does not say. `is_low` is a warning. */
    disk: object(
      { free_bytes: integer(), total_bytes: integer(), is_low: boolean() },
      { nullable: true, readOnly: true },
    ),
    ...commented,
    is_active: computed(boolean()),
    is_alive: computed(boolean()),
    date_created: datetime({ readOnly: true }),
  },
  calls: {
    /** What a component works by: every setting of terminals, and a few of security. */
    config: onList({
      method: 'GET',
      path: 'config',
      access: 'component',
      answer: answer.json<TerminalConfigTold>(),
    }),
    report: onList({ ...report, path: 'status' }),
    reportOf: onList({ ...report, path: '{id}/status' }),
    /** What it carries and has carried, of the organization worked in. */
    sessions: onRow({
      method: 'GET',
      path: 'sessions',
      access: 'terminal.view_session',
      answer: answer.rowsOf<Session>('terminal.session'),
    }),
    /** Takes it out of use at once, account and key with it. */
    remove: onRow({ method: 'DELETE', path: '', access: 'terminal.delete_terminal', records: 'delete' }),
  },
})
export type Terminal = RowOf<typeof Terminal>

/** Ids; what is none is passed over like a session that has ended. */
const killing = {
  method: 'POST',
  body: {
    sessions: list({ max: 64, maxItems: 1000, verbatim: true }),
    /** The person at the terminal is told it. */
    reason: text({ max: terminationReasonMax }),
  },
  listAs: 'sessions',
  answer: answer.json<{ ok: string[] }>(),
  records: 'changes',
} as const

export const TerminalTask = resource({
  app: 'terminal',
  model: 'task',
  path: 'terminal/tasks',
  scope: 'system',
  order: ['-date_created'],
  audited: false,
  actions: ['list', 'retrieve', 'update'],
  fields: {
    ...identified,
    name: plainChoice(taskNames, { readOnly: true }),
    args: text({ readOnly: true }),
    kwargs: json({ readOnly: true }),
    terminal: uuid({ readOnly: true }),
    ...commented,
    is_finished: boolean({ filter: true }),
    date_finished: datetime({ nullable: true }),
    ...created,
    ...updated,
  },
  calls: {
    /** Ends running sessions; answers those of them that will be. Older clients send a bare list of ids. */
    killSessions: onList({ ...killing, path: 'kill-session', access: 'terminal.terminate_session' }),
    /** For who was asked about the ticket each of them came of; 403 where one of them came of none. */
    killForTicket: onList({ ...killing, path: 'kill-session-for-ticket', access: 'tickets.view_ticket' }),
  },
})
export type TerminalTask = RowOf<typeof TerminalTask>

/** What a component last said of itself. */
export const TerminalStatus = resource({
  app: 'terminal',
  model: 'status',
  path: 'terminal/status',
  scope: 'system',
  order: ['-date_created'],
  audited: false,
  bulk: false,
  actions: ['list', 'retrieve'],
  fields: {
    id: uuid({ readOnly: true }),
    session_online: integer(),
    sessions: list({ max: 36, maxItems: 10_000, verbatim: true }),
    cpu_load: value<number>(),
    memory_used: value<number>(),
    disk_used: value<number>(),
    terminal: uuid({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
  },
  calls: { report: onList({ ...report, path: '' }) },
})

const registration = {
  method: 'POST',
  access: 'bootstrap',
  body: {
    /** Longer than 128 characters: shortened, and kept whole as the comment. */
    name: text({ max: 1024, required: true }),
    type: plainChoice(terminalTypes),
    comment: text({ max: 4096, multiline: true }),
  },
  answer: answer.json<Registered>(),
  status: 201,
  records: 'changes',
} as const
/** Holds the key it signs with from now on: never log it. */
export interface Registered {
  name: string
  type: string
  comment: string
  service_account: {
    id: string
    name: string
    access_key: { id: string; secret: string; is_active: boolean; date_created: string }
    comment: string
  }
  remote_addr: string
}
/** How a component gets an account, under either of its addresses. */
export const TerminalRegistration = service({
  app: 'terminal',
  model: 'registration',
  path: 'terminal',
  calls: {
    register: onList({ ...registration, path: 'terminal-registrations' }),
    registerToo: onList({ ...registration, path: 'registration' }),
  },
})

/** A way to connect with a protocol. */
export interface ConnectMethod {
  component: 'koko'
  type: 'web' | 'native'
  endpoint_protocol: 'http' | 'ssh'
  value: 'web_cli' | 'ssh' | 'putty'
  label: string
}
/** How many of a kind of component there are, by load. */
export interface ComponentMetrics {
  type: string
  total: number
  normal: number
  high: number
  critical: number
  offline: number
  session_active: number
}
export const Components = service({
  app: 'terminal',
  model: 'components',
  path: 'terminal/components',
  calls: {
    metrics: onList({
      method: 'GET',
      path: 'metrics',
      access: 'terminal.view_terminal',
      answer: answer.json<ComponentMetrics[]>(),
    }),
    /** By protocol; a person on Windows is offered PuTTY's command line. */
    connectMethods: onList({
      method: 'GET',
      path: 'connect-methods',
      access: 'valid_user',
      answer: answer.json<Record<string, ConnectMethod[]>>(),
    }),
  },
})

const port = integer({ min: 0, max: 65_535 })
/** Where people's own programs reach a gateway. */
export const Endpoints = service({
  app: 'terminal',
  model: 'endpoints',
  path: 'terminal/endpoints',
  calls: {
    smart: onList({
      method: 'GET',
      path: 'smart',
      access: 'valid_user',
      query: { protocol: text({ max: 64 }) },
      answer: answer.object({
        id: uuid(),
        name: text({ max: 128 }),
        host: text({ max: 256 }),
        https_port: port,
        http_port: port,
        ssh_port: port,
        rdp_port: port,
        mysql_port: port,
        mariadb_port: port,
        postgresql_port: port,
        redis_port: port,
        oracle_port_range: text({ max: 64 }),
        oracle_port: port,
        comment: text(),
        created_by: text(),
        date_created: datetime(),
        date_updated: datetime(),
      }),
    }),
  },
})

/** Commands are kept in one place, the database: that is the tree. */
export const CommandStorages = service({
  app: 'terminal',
  model: 'commandstorage',
  path: 'terminal/command-storages',
  calls: {
    /** Each storage with the number of commands the filters of the list of commands let through. */
    tree: onList({
      method: 'GET',
      path: 'tree',
      access: ['terminal.view_commandstorage', 'terminal.view_command'],
      answer: answer.json<StorageNode[]>(),
    }),
  },
})
export type StorageNode = Omit<TreeNode, 'meta'> & { valid?: boolean }
