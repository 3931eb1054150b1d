import { protocolChoices } from '../assets/protocols.ts'
import { hostKeyStateValues } from '../gateway/host-keys.ts'
import { endReasons } from '../end-reasons.ts'
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
  one,
  plainChoice,
  text,
  uuid,
  value,
} from '../resource/field.ts'
import {
  commented,
  created,
  type Filter,
  identified,
  organized,
  resource,
  type RowOf,
  updated,
} from '../resource/resource.ts'

export const sessionTypes = choices('session_type', ['normal', 'tunnel', 'command'])
export const loginFroms = choices('login_from', ['ST', 'RT', 'WT', 'DT'])
export const riskLevels = choices('risk_level', [0, 5])
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
export const taskNames = choices('terminal_task', ['kill_session'])
export const hostKeyStates = choices('host_key_state', hostKeyStateValues)
/** Why a session ended (docs/decisions/0002). */
export const endReasonChoices = choices('end_reason', endReasons)

const between = { date_from: { kind: 'datetime' }, date_to: { kind: 'datetime' } } as const satisfies Record<
  string,
  Filter
>

const sessionFields = {
  /** The one id that is not the server's: a component names the sessions it carries. */
  id: uuid({ createOnly: true, filter: true }),
  user: text({ max: 128, required: true, filter: true, search: true, order: true }),
  asset: text({ max: 128, required: true, filter: true, search: true, order: true }),
  account: text({ max: 128, required: true, filter: true, search: true, order: true }),
  user_id: text({ max: 36, default: '', filter: true }),
  asset_id: text({ max: 36, default: '', filter: true }),
  account_id: text({ max: 128, required: true, filter: true }),
  protocol: plainChoice(protocolChoices, { required: true, filter: true, search: true, order: true }),
  type: choice(sessionTypes, { default: 'normal', order: true }),
  login_from: choice(loginFroms, { default: 'ST', filter: true, search: true, order: true }),
  remote_addr: text({ max: 128, nullable: true, filter: true, search: true, order: true }),
  comment: text({ nullable: true }),
  terminal: one('terminal.terminal', ['id', 'name'], { nullable: true, readOnly: true, filter: true }),
  end_reason: choice(endReasonChoices, { nullable: true, filter: true, order: true }),
  end_detail: text({ max: 1024, nullable: true }),
  ...organized,
  is_success: boolean({ default: true, filter: true, order: true }),
  is_finished: boolean({ default: false, filter: true, search: true, order: true }),
  has_replay: boolean({ default: false, order: true }),
  has_command: boolean({ default: false, order: true }),
  can_replay: computed(boolean()),
  can_join: computed(boolean()),
  can_terminate: computed(boolean()),
  date_start: datetime({ order: true }),
  date_end: datetime({ nullable: true, order: true }),
}

/**
 * Made and ended by the component that carries them (calls of its own). People read these books and nobody rewrites them: who held
 * `change_session` could otherwise alter what is known of their own session.
 */
export const Session = resource({
  app: 'terminal',
  model: 'session',
  path: 'terminal/sessions',
  scope: 'org',
  order: ['-date_start'],
  audited: false,
  bulk: false,
  actions: ['list', 'retrieve'],
  filters: between,
  fields: { ...sessionFields, command_amount: computed(integer()) },
})
export type Session = RowOf<typeof Session>

/** One's own sessions, over all organizations. */
export const MySession = resource({
  app: 'terminal',
  model: 'mysession',
  path: 'terminal/my-sessions',
  scope: 'own',
  order: ['-date_start'],
  audited: false,
  bulk: false,
  actions: ['list'],
  filters: between,
  fields: sessionFields,
})
export type MySession = RowOf<typeof MySession>

/** Written in batches by components, read and searched here. */
export const Command = resource({
  app: 'terminal',
  model: 'command',
  path: 'terminal/commands',
  scope: 'org',
  order: ['-timestamp', '-sequence'],
  audited: false,
  bulk: false,
  actions: ['list', 'retrieve'],
  filters: {
    ...between,
    session_id: { kind: 'uuid' },
    command_storage_id: { kind: 'text' },
  },
  fields: {
    id: uuid({ readOnly: true, filter: true }),
    user: text({ max: 64, required: true, filter: true }),
    asset: text({ max: 128, required: true, filter: true }),
    account: text({ max: 64, required: true, filter: true }),
    session: text({ max: 36, required: true, filter: true }),
    input: text({ max: 2048, required: true, filter: true, search: true }),
    output: text({ max: 2048 }),
    risk_level: choice(riskLevels, { default: 0, filter: true, order: true }),
    timestamp: integer({ required: true, order: true }),
    millisecond: integer(),
    sequence: integer({ order: true }),
    remote_addr: text({ readOnly: true }),
    ...organized,
    timestamp_display: datetime({ readOnly: true }),
  },
})
export type Command = RowOf<typeof Command>

/** Components register and are deleted by calls of their own. */
export const Terminal = resource({
  app: 'terminal',
  model: 'terminal',
  path: 'terminal/terminals',
  scope: 'system',
  order: ['name'],
  bulk: false,
  actions: ['list', 'retrieve', 'update'],
  filters: { load: { kind: 'text' } },
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true, order: true }),
    type: plainChoice(terminalTypes, { readOnly: true, filter: true, order: true }),
    remote_addr: text({ max: 128, filter: true, search: true, order: true }),
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
    date_created: datetime({ readOnly: true, order: true }),
  },
})
export type Terminal = RowOf<typeof Terminal>

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
    sessions: list({ max: 36, maxItems: 10_000 }),
    cpu_load: value<number>(),
    memory_used: value<number>(),
    disk_used: value<number>(),
    terminal: uuid({ readOnly: true }),
    date_created: datetime({ readOnly: true }),
  },
})

/**
 * What machines show to prove who they are, by asset and address. Gateways bring them; the first one is accepted, a changed one waits for
 * an administrator, and nobody connects until it is accepted. One key is accepted at a time.
 */
export const HostKey = resource({
  app: 'terminal',
  model: 'hostkey',
  path: 'terminal/host-keys',
  scope: 'org',
  order: ['-date_created'],
  bulk: false,
  actions: ['list', 'retrieve', 'delete'],
  fields: {
    id: uuid({ readOnly: true, filter: true }),
    asset: one('assets.asset', ['id', 'name'], { readOnly: true, filter: true }),
    address: text({ max: 300, readOnly: true, filter: true, search: true, order: true }),
    algorithm: text({ max: 64, readOnly: true, filter: true, order: true }),
    fingerprint: text({ max: 64, readOnly: true, filter: true, search: true }),
    key: text({ max: 4096, readOnly: true }),
    state: choice(hostKeyStates, { readOnly: true, filter: true, order: true }),
    /** The gateway it was first shown to. */
    terminal: one('terminal.terminal', ['id', 'name'], { nullable: true, readOnly: true, filter: true }),
    date_created: datetime({ readOnly: true, order: true }),
    ...updated,
    ...organized,
  },
})
export type HostKey = RowOf<typeof HostKey>
