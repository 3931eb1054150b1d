/** What a gateway asks of reviewers, and tells of commands that filters are about. */
import { z } from 'zod'
import type { BodySent } from '../resource/calls.ts'
import type { CommandReview, LoginAssetCheck } from '../resources/reviews.ts'
import type { Command } from '../resources/terminal.ts'
import { ticketStates } from '../resources/tickets.ts'

export type CommandAlert = BodySent<(typeof Command)['calls']['alert']['body']>[number]
export type CommandAsked = BodySent<(typeof CommandReview)['calls']['ask']['body']>
export type AssetLoginAsked = BodySent<(typeof LoginAssetCheck)['calls']['check']['body']>

/** Of one session people are told so many commands within so many minutes; the others are in its books. */
export const toldOfSession = { most: 20, minutes: 10 }
/** Of alerts in one call, at most. */
export const alertsAtOnce = 100
/** Of a command people are told of, in UTF-16 units. */
export const toldCommandMax = 1000

const ticketCall = z.object({
  method: z.enum(['GET', 'PUT', 'DELETE']),
  /** `/api/v1/tickets/super-tickets/{id}/status/` */
  url: z.string().max(1024),
})
const ticketOf = ({ url }: { url: string }) => /\/super-tickets\/([\w-]+)\/status\/$/.exec(url)?.[1] ?? ''

/** A request that waits for its reviewers. */
export interface Review {
  /** Its id. */
  ticket: string
  /** For people. */
  page: string
  /** `Name(username)` */
  reviewers: string[]
}
export const reviewSchema = z
  .object({
    check_ticket_api: ticketCall,
    close_ticket_api: ticketCall,
    ticket_detail_page_url: z.string(),
    assignees: z.array(z.string()),
  })
  .transform(({ check_ticket_api, ticket_detail_page_url, assignees }): Review => ({
    ticket: ticketOf(check_ticket_api),
    page: ticket_detail_page_url,
    reviewers: assignees,
  }))

export const assetLoginReviewSchema = z
  .discriminatedUnion('need_review', [
    z.object({ need_review: z.literal(false) }),
    z.object({
      need_review: z.literal(true),
      ticket_id: z.string(),
      ticket_detail_url: z.string(),
      reviewers: z.array(z.string()),
    }),
  ])
  .transform((told): Review | undefined =>
    told.need_review
      ? { ticket: told.ticket_id, page: told.ticket_detail_url, reviewers: told.reviewers }
      : undefined,
  )

export const reviewStatusSchema = z
  .object({
    state: z.object({ value: z.enum(ticketStates.values) }),
    /** `Name(username)`; empty as long as nobody decided. */
    processor: z.string(),
  })
  .transform(({ state, processor }) => ({ state: state.value, by: processor }))
export type ReviewStatus = z.output<typeof reviewStatusSchema>
