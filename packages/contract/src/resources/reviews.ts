/** How components ask reviewers of rules about an asset login and a command. */
import { reviewedCommandMax } from '../gateway/commands.ts'
import { answer, onList, service } from '../resource/calls.ts'
import { text, uuid } from '../resource/field.ts'

/** A call of this API: to ask, to take back. */
export interface TicketCall {
  method: 'GET' | 'PUT' | 'DELETE'
  /** From the root: `/api/v1/…` */
  url: string
}
/** How whoever waits for a ticket goes on with it. */
export interface ReviewInfo {
  check_ticket_api: TicketCall
  close_ticket_api: TicketCall
  /** For people. */
  ticket_detail_page_url: string
  /** `Name(username)` */
  assignees: string[]
}

/** Whether connecting has to be approved; then the ticket it waits for. */
export type AssetLoginCheck =
  | { need_review: false }
  | {
      need_review: true
      check_review_status: TicketCall
      close_review: TicketCall
      ticket_detail_url: string
      reviewers: string[]
      ticket_id: string
    }

const inItself = { unrecorded: 'The ticket keeps who decided what and when, and tells those concerned.' }

export const LoginAssetCheck = service({
  app: 'acls',
  model: 'loginassetcheck',
  path: 'acls/login-asset',
  calls: {
    check: onList({
      method: 'POST',
      path: 'check',
      access: 'component',
      body: {
        user_id: uuid({ required: true }),
        asset_id: uuid({ required: true }),
        /** As the rules see it: a username; of an account that is typed what was typed, or its alias. */
        account_username: text({ max: 128, default: '' }),
      },
      answer: answer.json<AssetLoginCheck>(),
      records: inItself,
    }),
  },
})

export const CommandReview = service({
  app: 'acls',
  model: 'commandreview',
  path: 'acls/command-filter-acls',
  calls: {
    /** By the component that carries the session. A command that is too long to be shown whole is not put to anybody. */
    ask: onList({
      method: 'POST',
      path: 'command-review',
      access: 'component',
      body: {
        session_id: uuid({ required: true }),
        cmd_filter_acl_id: uuid({ required: true }),
        run_command: text({ max: reviewedCommandMax, required: true, verbatim: true }),
      },
      answer: answer.json<ReviewInfo>(),
      records: inItself,
    }),
  },
})
