import type { ApiClient } from '../api/client.ts'
import type { ReviewTicket } from './command-review.ts'

/** Puts a command to the reviewers of a filter, by a ticket of the server. */
export async function openReview(
  api: ApiClient,
  asked: { session: string; filter: string; command: string },
): Promise<ReviewTicket> {
  const ticket = await api.reviewCommand(asked)
  return {
    url: ticket.url,
    reviewers: ticket.reviewers,
    status: async () => await api.reviewStatus(ticket.status_path),
    close: async () => await api.closeReview(ticket.status_path),
  }
}
