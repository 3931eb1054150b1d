import { reviewedCommandMax } from '@sallyport/contract/gateway/commands'
import type { CommandFilter } from '@sallyport/contract/gateway/grants'
import type { CommandAsked, Review } from '@sallyport/contract/gateway/reviews'
import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import { type Hold, passes, type Verdict } from '../session/gate.ts'
import { refusal } from './refusal.ts'
import { decisionOn, wantsToWait, type WaitingServices } from './waiting.ts'

export interface CommandReviewServices extends WaitingServices {
  api: WaitingServices['api'] & { askForCommand(asked: CommandAsked): Promise<Review> }
  /** Whose command it is. */
  session: string
}

/** Has the reviewers of a filter decide about a command. `command`: what the filter found; `whole`: all of it, with the lines it goes on from. */
export async function reviewCommand(
  filter: CommandFilter,
  { command, whole }: { command: string; whole: string },
  hold: Hold,
  services: CommandReviewServices,
): Promise<Verdict> {
  const { api, language, log, session } = services
  if (whole.length > reviewedCommandMax)
    return refusal(filterMessage(language, 'review_too_long', { command, max: reviewedCommandMax }))
  const names = filter.reviewers.map(({ name }) => name).join(', ')
  const question = filterMessage(language, 'review_question', { command, reviewers: names })
  if (!(await wantsToWait(question, hold)))
    return refusal(filterMessage(language, 'review_given_up', { command }))
  let review: Review
  try {
    review = await api.askForCommand({
      session_id: session,
      cmd_filter_acl_id: filter.id,
      run_command: whole,
    })
  } catch (error) {
    log.warn({ err: error }, 'a command could not be put to its reviewers')
    return refusal(filterMessage(language, 'review_failed', { command }))
  }
  hold.tell(filterMessage(language, 'review_asked', { command, reviewers: review.reviewers.join(', ') }))
  const decision = await decisionOn(review, hold, services)
  if (decision.kind === 'approved') {
    hold.tell(filterMessage(language, 'review_approved', { who: decision.by }))
    return passes
  }
  if (decision.kind === 'rejected')
    return refusal(filterMessage(language, 'review_rejected', { who: decision.by, command }))
  return refusal(filterMessage(language, `review_${decision.kind}`, { command }))
}
