/** Sessions and what was done in them: made by the components that carry them, read by people (docs/decisions/0002). */
import { protocolChoices } from '../assets/protocols.ts'
import { endReasons } from '../end-reasons.ts'
import type { BegunSessionTold } from '../gateway/books.ts'
import { commandInputMax } from '../gateway/commands.ts'
import type { RecordingIndex, SessionRecordings } from '../recording.ts'
import { answer, onList, onRow } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  ids,
  integer,
  objects,
  one,
  plainChoice,
  secret,
  text,
  uuid,
} from '../resource/field.ts'
import { type Filter, organized, resource, type RowOf } from '../resource/resource.ts'

export const sessionTypes = choices('session_type', ['normal', 'tunnel', 'command'])
export const loginFroms = choices('login_from', ['ST', 'RT', 'WT', 'DT'])
export const riskLevels = choices('risk_level', [0, 5])
/** Why a session ended (docs/decisions/0002). */
export const endReasonChoices = choices('end_reason', endReasons)

/** Twelve days of a chunk each second. */
export const chunksMax = 1_000_000

const between = { date_from: { kind: 'datetime' }, date_to: { kind: 'datetime' } } as const satisfies Record<
  string,
  Filter
>

/** Names that people find by parts of them. */
const named = { filter: 'contained', search: true } as const

const sessionFields = {
  /** The one id that is not the server's: a component names the sessions it carries. */
  id: uuid({ createOnly: true, filter: true }),
  user: text({ max: 128, required: true, ...named, verbatim: true }),
  asset: text({ max: 128, required: true, ...named, verbatim: true }),
  account: text({ max: 128, required: true, ...named, verbatim: true }),
  user_id: text({ max: 36, default: '', filter: true }),
  asset_id: text({ max: 36, default: '', filter: true }),
  /** Empty for accounts typed by hand. */
  account_id: text({ max: 128, default: '', filter: true }),
  protocol: plainChoice(protocolChoices, { required: true, filter: true, search: true }),
  type: choice(sessionTypes, { default: 'normal' }),
  login_from: choice(loginFroms, { default: 'ST', filter: true, search: true }),
  remote_addr: text({ max: 128, nullable: true, filter: true, search: true }),
  comment: text({ nullable: true }),
  terminal: one('terminal.terminal', ['id', 'name'], { nullable: true, readOnly: true, filter: true }),
  end_reason: choice(endReasonChoices, { nullable: true, filter: true }),
  end_detail: text({ max: 1024, nullable: true }),
  ...organized,
  is_success: boolean({ default: true, filter: true }),
  is_finished: boolean({ default: false, filter: true, search: true }),
  has_replay: boolean({ default: false }),
  has_command: boolean({ default: false }),
  can_replay: computed(boolean()),
  can_join: computed(boolean()),
  can_terminate: computed(boolean()),
  date_start: datetime(),
  date_end: datetime({ nullable: true }),
}

const { user, asset, account, user_id, asset_id, account_id, protocol, remote_addr, comment } = sessionFields
/** A session as its component puts it on the books. */
const opened = {
  id: sessionFields.id,
  user,
  asset,
  account,
  user_id,
  asset_id,
  account_id,
  protocol,
  type: plainChoice(sessionTypes),
  login_from: plainChoice(loginFroms),
  remote_addr,
  comment,
  /** The default organization where a component does not say. */
  org_id: text({ max: 36 }),
  is_success: boolean(),
  is_finished: boolean(),
  date_start: datetime(),
  date_end: sessionFields.date_end,
  /** The approval it came of (`from_ticket` of a connection token): good for this one session. */
  ticket: uuid(),
}
/** A session as a gateway of ours begins it for a person: what it is granted for is asked and put on the books at once. */
const begun = {
  id: uuid({ required: true }),
  user: uuid({ required: true }),
  asset: uuid({ required: true }),
  /** Its alias. */
  account: text({ max: 128, required: true }),
  protocol: text({ max: 16, required: true }),
  connect_method: text({ max: 32, required: true }),
  /** What the person typed, where the account has no name or no secret. */
  input_username: text({ max: 128 }),
  input_secret: secret({ max: 40_960 }),
  type: plainChoice(sessionTypes, { required: true }),
  login_from: plainChoice(loginFroms, { required: true }),
  remote_addr: text({ max: 128, required: true }),
  date_start: datetime({ required: true }),
  /** The approval of an asset login that a rule wants reviewed (`acl_review`): good for one session, for some minutes. */
  ticket: uuid(),
}
const changed = {
  is_success: boolean(),
  is_finished: boolean(),
  has_replay: boolean(),
  date_end: sessionFields.date_end,
  end_reason: plainChoice(endReasonChoices, { nullable: true }),
  /** Longer ones are shortened. */
  end_detail: text({ nullable: true, verbatim: true }),
}
/** Of a recording of which every chunk was sent. */
const finished = {
  chunks: integer({ required: true, min: 0, max: chunksMax }),
  duration_ms: integer({ required: true, min: 0 }),
  bytes: integer({ required: true, min: 0, max: Number.MAX_SAFE_INTEGER }),
}

/** Sessions are the books themselves. */
const books = {
  unrecorded: 'it is itself an entry in the books of sessions, made by the component that carries it',
}
const finishing = {
  method: 'POST',
  access: 'component',
  body: finished,
  answer: answer.json<Record<string, never>>(),
  records: books,
} as const
/** What may be done with what was recorded; seeing it is recorded, too. */
const viewing = { method: 'GET', access: 'terminal.view_sessionreplay' } as const
const indexing = { ...viewing, answer: answer.json<RecordingIndex>(), records: 'changes' } as const

export interface ReplayFacts {
  type: 'asciicast'
  /** Where the asciicast file is. */
  src: string
  user: string
  asset: string
  account: string
  date_start: string | null
  date_end: string | null
  download_url: string
}

/**
 * Made and ended by the component that carries them. People read these books and nobody rewrites them: who held
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
  calls: {
    open: onList({
      method: 'POST',
      path: '',
      access: 'component',
      body: opened,
      answer: answer.row,
      status: 201,
      records: books,
    }),
    /**
     * In one go what a connection token, its contents, the session and the accepted host keys are asked for one after the other: the rights
     * are checked, and the session is on the books before anybody is told how to connect. Asked again it answers the same session.
     */
    begin: onList({
      method: 'POST',
      path: 'begin',
      access: 'component',
      body: begun,
      answer: answer.json<BegunSessionTold>(),
      status: 201,
      records: books,
    }),
    /** By its own component only, in whatever organization it calls. */
    change: onList({
      method: 'PATCH',
      path: '{id}',
      access: 'component',
      body: changed,
      answer: answer.row,
      records: books,
    }),
    /** Several of them, in one transaction; those named are answered in their order. */
    changeListed: onList({
      method: ['PATCH', 'PUT'],
      path: '',
      access: 'component',
      body: objects({ id: uuid({ required: true }), ...changed }, { required: true }),
      answer: answer.json<Record<string, unknown>[]>(),
      records: books,
    }),
    finishRecording: onList({ ...finishing, path: '{id}/recording/finish' }),
    finishNumbered: onList({ ...finishing, path: '{id}/recordings/{recording}/finish' }),
    /** Where the chunks of the first recording are in time; they are files of their own addresses below it. */
    recording: onRow({ ...indexing, path: 'recording' }),
    recordings: onRow({ ...viewing, path: 'recordings', answer: answer.json<SessionRecordings>() }),
    /** As `recording`, of any of them. */
    numbered: onRow({ ...indexing, path: 'recordings/{recording}' }),
    /** The compatible form: where the whole recording is as a file. */
    replay: onRow({ ...viewing, path: 'replay', answer: answer.json<ReplayFacts>() }),
    /** How many live sessions these people have; what ends with them when they are disabled (everywhere), or removed (in this organization). */
    onlineAmount: onList({
      method: 'POST',
      path: 'online-amount',
      access: ['users.change_user', 'users.remove_user'],
      body: { users: ids({ required: true }), here: boolean() },
      answer: answer.object({ count: integer() }),
      reads: true,
    }),
    /** Whether a person may watch a session; 401 with the reason where not. */
    validateJoin: onList({
      method: 'POST',
      path: 'join/validate',
      access: 'terminal.validate_sessionactionperm',
      body: { user_id: text({ max: 36 }), session_id: text({ max: 36 }) },
      answer: answer.json<{ ok: boolean; msg: string }>(),
      reads: true,
    }),
  },
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

/** Longer texts are shortened, not refused: what was typed is kept as far as it can be. */
export const commandRecord = {
  /** Lets a repeated delivery be seen. */
  id: uuid(),
  session: uuid({ required: true }),
  user: text({ max: 1024, verbatim: true }),
  asset: text({ verbatim: true }),
  account: text({ max: 1024, verbatim: true }),
  input: text({ verbatim: true }),
  output: text({ verbatim: true }),
  risk_level: plainChoice(riskLevels),
  org_id: text({ max: 36 }),
  /** Seconds since the epoch, and the milliseconds of that second. */
  timestamp: integer({ required: true, min: 0 }),
  millisecond: integer({ min: 0, max: 999 }),
  /** Which of its session's commands it is, from 1. Where a component does not count: its place in what was sent at once. */
  sequence: integer({ min: 0 }),
}

/** What somebody tried that a rule is about, as the component saw it. */
const insecureCommand = {
  session: uuid({ required: true }),
  /** From `SECURITY_INSECURE_COMMAND_LEVEL` on it is a danger, which those hear of who subscribed to such alerts or are named in the settings. */
  risk_level: integer({ required: true, min: 0, max: 10 }),
  input: text({ required: true, verbatim: true }),
  user: text({ max: 1024, verbatim: true }),
  asset: text({ verbatim: true }),
  org_id: text({ max: 36 }),
  /** The rule that matched: of one that warns or notifies its reviewers hear, else the administrators. */
  cmd_filter_acl: uuid(),
}

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
    user: text({ max: 64, required: true, ...named }),
    asset: text({ max: 128, required: true, ...named }),
    account: text({ max: 64, required: true, ...named }),
    session: text({ max: 36, required: true, filter: true }),
    input: text({ max: commandInputMax, required: true, filter: true, search: true }),
    output: text({ max: 2048 }),
    risk_level: choice(riskLevels, { default: 0, filter: true }),
    timestamp: integer({ required: true }),
    millisecond: integer(),
    sequence: integer(),
    remote_addr: text({ readOnly: true }),
    ...organized,
    timestamp_display: datetime({ readOnly: true }),
  },
  calls: {
    add: onList({
      method: 'POST',
      path: '',
      access: 'component',
      body: objects(commandRecord),
      bodyLimit: 16 << 20,
      answer: answer.json<'ok'>(),
      status: 201,
      records: { unrecorded: 'commands are books themselves, written by the component of their session' },
    }),
    /** Of its own sessions; at most `alertsAtOnce` (gateway/reviews.ts) at a time. */
    alert: onList({
      method: 'POST',
      path: 'insecure-command',
      access: 'component',
      body: objects(insecureCommand),
      answer: answer.json<'ok'>(),
      records: { unrecorded: 'it is told to people; the command itself is in the books of its session' },
    }),
  },
})
export type Command = RowOf<typeof Command>
