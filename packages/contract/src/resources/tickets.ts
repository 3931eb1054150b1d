/** Requests that somebody must approve: one table of them all, and a narrower list for each type with what it says besides. */
import { answer, onList, onRow, service } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import {
  choice,
  computed,
  datetime,
  type Labeled,
  one,
  plainOne,
  text,
  uuid,
  value,
} from '../resource/field.ts'
import { commented, identified, organized, resource, type RowOf } from '../resource/resource.ts'

export const ticketTypes = choices('ticket_type', [
  'apply_asset',
  'login_confirm',
  'command_confirm',
  'login_asset_confirm',
])
export type TicketType = (typeof ticketTypes.values)[number]
export const ticketStates = choices('ticket_state', ['pending', 'closed', 'reopen', 'approved', 'rejected'])
export type TicketState = (typeof ticketStates.values)[number]
export const ticketStatuses = choices('ticket_status', ['open', 'closed'])
export const ticketLevels = choices('ticket_level', [1, 2])

/** What is there no more is null. */
export interface Named {
  id: string
  name: string
}

/** Who is asked on one level, and what was decided there. */
export interface TicketStep {
  state: TicketState
  /** Ids of people. */
  assignees: string[]
  assignees_display: string[]
  /** Who decided; the applicant where the request was taken back. Empty as long as nobody did. */
  processor: string
  processor_display: string
  approval_level: number
  /** When it was changed last. */
  approval_date: string
}

const fields = {
  ...identified,
  title: text({ max: 256, readOnly: true, filter: true, search: true }),
  ...commented,
  serial_num: text({ readOnly: true }),
  process_map: value<TicketStep[]>(),
  approval_step: choice(ticketLevels, { readOnly: true }),
  type: choice(ticketTypes, { readOnly: true, filter: true, search: true }),
  state: choice(ticketStates, { readOnly: true, filter: true, label: 'ticket_state' }),
  status: choice(ticketStatuses, { readOnly: true, filter: true, search: true }),
  applicant: one('users.user', ['id', 'name'], { readOnly: true, nullable: true, filter: true }),
  ...organized,
  /** What related objects were called when the ticket was written. */
  rel_snapshot: value<Record<string, string | string[]>>(),
  date_created: datetime({ readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}

const inItself = { unrecorded: 'The ticket keeps who decided what and when, and tells those concerned.' }
/** For those it was assigned to. */
const deciding = {
  access: 'tickets.view_ticket',
  answer: answer.json<'ok'>(),
  records: inItself,
} as const
const calls = {
  approve: onRow({ ...deciding, method: ['PUT', 'PATCH'], path: 'approve' }),
  reject: onRow({ ...deciding, method: 'PUT', path: 'reject' }),
  /** For the applicant, too. */
  close: onRow({ ...deciding, method: 'PUT', path: 'close' }),
}

const common = {
  app: 'tickets',
  // Of all organizations: whoever applied or is asked sees a ticket, and nobody else.
  scope: 'system',
  permission: 'ticket',
  actions: ['list', 'retrieve'],
  bulk: false,
  audited: false,
  order: ['-date_created'],
} as const

export const Ticket = resource({
  ...common,
  model: 'ticket',
  path: 'tickets/tickets',
  filters: {
    /** Who is asked now. */
    assignees__id: { kind: 'uuid' },
    /** A part of what the asset is called. */
    relevant_asset: { kind: 'text' },
    relevant_command: { kind: 'text' },
    // Known to older clients, and say nothing here.
    relevant_app: { kind: 'text' },
    relevant_system_user: { kind: 'text' },
  },
  fields,
  calls,
})
export type Ticket = RowOf<typeof Ticket>

/** A login that a rule wants confirmed. */
export const ApplyLoginTicket = resource({
  ...common,
  model: 'applyloginticket',
  path: 'tickets/apply-login-tickets',
  fields: {
    ...fields,
    apply_login_ip: computed(text()),
    apply_login_city: computed(text()),
    apply_login_datetime: computed(datetime()),
  },
  calls,
})
export type ApplyLoginTicket = RowOf<typeof ApplyLoginTicket>

/** A connection to an asset that a rule wants approved. */
export const ApplyLoginAssetTicket = resource({
  ...common,
  model: 'applyloginassetticket',
  path: 'tickets/apply-login-asset-tickets',
  fields: {
    ...fields,
    apply_login_user: value<Named | null>(),
    apply_login_asset: value<Named | null>(),
    apply_login_account: computed(text()),
  },
  calls,
})
export type ApplyLoginAssetTicket = RowOf<typeof ApplyLoginAssetTicket>

/** A command that a rule wants approved. */
export const ApplyCommandTicket = resource({
  ...common,
  model: 'applycommandticket',
  path: 'tickets/apply-command-tickets',
  fields: {
    ...fields,
    apply_run_user: value<Named | null>(),
    apply_run_asset: computed(text()),
    apply_run_account: computed(text()),
    apply_run_command: computed(text()),
    apply_from_session: value<{ id: string } | null>(),
    apply_from_cmd_filter_acl: value<Named | null>(),
  },
  calls,
})
export type ApplyCommandTicket = RowOf<typeof ApplyCommandTicket>

/** What a component asks again and again about a ticket it opened. */
export interface SuperTicketStatus {
  id: string
  status: Labeled<'open' | 'closed'>
  state: Labeled<TicketState>
  /** `Name(username)` of who decided; empty as long as nobody did. */
  processor: string
}
export const SuperTicket = service({
  app: 'tickets',
  model: 'superticket',
  path: 'tickets/super-tickets',
  calls: {
    status: onList({
      method: 'GET',
      path: '{id}/status',
      access: 'component',
      answer: answer.json<SuperTicketStatus>(),
    }),
    /** Nobody waits for it any more. */
    close: onList({ method: 'DELETE', path: '{id}/status', access: 'component', records: inItself }),
  },
})

const ofTicket = { ticket_id: uuid() }
/** What those concerned say about a ticket, and what became of it. */
export const TicketComment = resource({
  ...common,
  model: 'comment',
  path: 'tickets/comments',
  actions: ['retrieve'],
  order: ['date_created'],
  fields: {
    ...identified,
    body: text({ required: true, multiline: true }),
    user_display: text({ readOnly: true }),
    ticket: plainOne('tickets.ticket', { readOnly: true }),
    user: plainOne('users.user', { readOnly: true, nullable: true }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  calls: {
    /** Of one ticket. */
    list: onList({
      method: 'GET',
      path: '',
      access: 'tickets.view_ticket',
      query: ofTicket,
      answer: answer.rows,
    }),
    create: onList({
      method: 'POST',
      path: '',
      access: 'tickets.view_ticket',
      query: ofTicket,
      body: { body: text({ required: true, max: 4096, multiline: true }), ticket: uuid() },
      answer: answer.row,
      status: 201,
      records: { unrecorded: 'The comment itself says who wrote it and when.' },
    }),
  },
})
export type TicketComment = RowOf<typeof TicketComment>
