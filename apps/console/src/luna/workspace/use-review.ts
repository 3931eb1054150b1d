import type { ReviewInfo, TicketCall } from '@sallyport/contract/resources/reviews'
import { useRef, useState } from 'react'
import { api } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { useText } from '../text.ts'
import type { ConnectionToken } from './connecting.ts'

/** A connection that somebody has to approve: the person is asked whether to ask them, then waits. */
export interface Reviewing {
  assetName: string
  /** Of the ticket; undefined as long as nobody was asked. */
  ticket: Pick<ReviewInfo, 'assignees' | 'ticket_detail_page_url'> | undefined
  /** Begins to ask. */
  go: () => void
  /** Takes it back. */
  cancel: () => void
}
export type TokenToReview = ConnectionToken & { from_ticket_info: ReviewInfo | Record<string, never> }

const pollMs = 3000
const isInfo = (info: ReviewInfo | Record<string, never>): info is ReviewInfo => 'check_ticket_api' in info

/** Gets tokens, with the approval that a rule may want first. */
export function useReview() {
  const t = useText()
  const [reviewing, setReviewing] = useState<Reviewing>()
  /** The one that is shown; another takes its place. */
  const current = useRef<Reviewing>(undefined)

  const show = (next: Reviewing | undefined) => {
    current.current = next
    setReviewing(next)
  }

  const take = async ({ method, url }: TicketCall): Promise<void> => {
    await (method === 'DELETE' ? api.delete(url) : api.put(url))
  }

  /** Whether it was approved; undefined where the person took it back. Rejects with the sentence of another end. */
  async function decided(assetName: string, info: ReviewInfo): Promise<true | undefined> {
    const over = Promise.withResolvers<undefined>()
    show({ assetName, ticket: info, go: () => {}, cancel: () => over.resolve(undefined) })
    for (;;) {
      const pause = new Promise<'again'>((resolve) => setTimeout(() => resolve('again'), pollMs))
      if ((await Promise.race([pause, over.promise])) === undefined) {
        await take(info.close_ticket_api).catch(() => {})
        return undefined
      }
      const { status, state } = await api.get<{ status: { value: string }; state: { value: string } }>(
        info.check_ticket_api.url,
      )
      if (status.value !== 'closed') continue
      if (state.value === 'approved') return true
      throw new Error(t(state.value === 'rejected' ? 'reviewRejected' : 'reviewClosed'))
    }
  }

  return {
    reviewing,
    /** Undefined where the person does not want to ask, or to wait. */
    withReview: async (
      assetName: string,
      make: (createTicket: boolean) => Promise<TokenToReview>,
    ): Promise<ConnectionToken | undefined> => {
      try {
        return await make(false)
      } catch (failure) {
        if (!(failure instanceof ApiError) || failure.code !== 'acl_review') throw failure
      }
      const wants = Promise.withResolvers<boolean>()
      const answer = (wanted: boolean) => () => wants.resolve(wanted)
      show({ assetName, ticket: undefined, go: answer(true), cancel: answer(false) })
      try {
        if (!(await wants.promise)) return undefined
        const token = await make(true)
        // The rule may be gone by now: then it is good at once.
        if (!isInfo(token.from_ticket_info)) return token
        return (await decided(assetName, token.from_ticket_info)) && token
      } finally {
        show(undefined)
      }
    },
  }
}
