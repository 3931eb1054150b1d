import type { AssetLoginAsked, Review } from '@sallyport/contract/gateway/reviews'
import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import type { Language } from '@sallyport/contract/messages/language'
import { RefusedError } from '../session/failures.ts'
import type { Hold } from '../session/gate.ts'
import { decisionOn, wantsToWait, type WaitingServices } from './waiting.ts'

export interface LoginReviewServices extends WaitingServices {
  api: WaitingServices['api'] & {
    askForLogin(asked: AssetLoginAsked, language: Language): Promise<Review | undefined>
  }
}

/** A connection somebody may make once others approve it. */
export interface ReviewedLogin {
  user: string
  asset: { id: string; name: string }
  /** As rules see it: its user name, or of one that is typed what was typed, then its alias. */
  accounts: readonly [string, ...string[]]
}

/**
 * Has the reviewers of a login rule decide about a connection. Answers the ticket that lets the person in; undefined: nobody has to be asked
 * any more. Rejects with a RefusedError where they may not, and as soon as nothing is held any more.
 */
export async function reviewLogin(
  { user, asset, accounts }: ReviewedLogin,
  hold: Hold,
  services: LoginReviewServices,
): Promise<string | undefined> {
  const { api, language } = services
  const params = { asset: asset.name, account: accounts[0] }
  const question = filterMessage(language, 'login_review_question', params)
  if (!(await wantsToWait(question, hold)))
    throw new RefusedError(filterMessage(language, 'login_review_given_up', params))
  let review: Review | undefined
  for (const account_username of accounts)
    review ??= await api.askForLogin({ user_id: user, asset_id: asset.id, account_username }, language)
  if (!review) return undefined
  const reviewers = review.reviewers.join(', ')
  hold.tell(filterMessage(language, 'login_review_asked', { ...params, reviewers }))
  const decision = await decisionOn(review, hold, services)
  if (decision.kind === 'approved') {
    hold.tell(filterMessage(language, 'review_approved', { who: decision.by }))
    return review.ticket
  }
  if (decision.kind === 'rejected')
    throw new RefusedError(filterMessage(language, 'login_review_rejected', { ...params, who: decision.by }))
  throw new RefusedError(filterMessage(language, `login_review_${decision.kind}`, params))
}
