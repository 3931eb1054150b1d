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
  /** Whether it was decided could not be asked the last time. */
  isUnreachable: boolean
  /** Begins to ask. */
  go: () => void
  /** Takes it back. */
  cancel: () => void
}
export type TokenToReview = ConnectionToken & { from_ticket_info: ReviewInfo | Record<string, never> }

const pollMs = 3000
const isInfo = (info: ReviewInfo | Record<string, never>): info is ReviewInfo => 'check_ticket_api' in info

/** What became of it: `pending` as long as nobody has decided. A network or a server that is away for a while is no answer. */
async function stateOf({
  check_ticket_api,
}: ReviewInfo): Promise<'pending' | 'approved' | 'rejected' | 'closed' | 'unreachable'> {
  try {
    const { status, state } = await api.get<{ status: { value: string }; state: { value: string } }>(
      check_ticket_api.url,
    )
    if (status.value !== 'closed') return 'pending'
    return state.value === 'approved' || state.value === 'rejected' ? state.value : 'closed'
  } catch (failure) {
    if (failure instanceof ApiError && isPassing(failure.status)) return 'unreachable'
    throw failure
  }
}

const isPassing = (status: number) => status === 0 || status === 429 || status >= 500

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

  /** It is done also where the page is left meanwhile. */
  const takeBack = async ({ method, url }: TicketCall): Promise<void> => {
    const options = { keepalive: true }
    await (method === 'DELETE' ? api.delete(url, options) : api.put(url, undefined, options)).catch(() => {})
  }

  /** Whether it was approved; undefined where the person took it back. Rejects with the sentence of another end. */
  async function decided(assetName: string, info: ReviewInfo): Promise<true | undefined> {
    const over = Promise.withResolvers<undefined>()
    const waiting = { assetName, ticket: info, go: () => {}, cancel: () => over.resolve(undefined) }
    const onLeave = () => void takeBack(info.close_ticket_api)
    window.addEventListener('pagehide', onLeave)
    try {
      for (let isUnreachable = false; ;) {
        show({ ...waiting, isUnreachable })
        const pause = new Promise<'again'>((resolve) => setTimeout(() => resolve('again'), pollMs))
        if ((await Promise.race([pause, over.promise])) === undefined) {
          await takeBack(info.close_ticket_api)
          return undefined
        }
        const state = await stateOf(info)
        isUnreachable = state === 'unreachable'
        if (state === 'approved') return true
        if (state === 'rejected') throw new Error(t('reviewRejected'))
        if (state === 'closed') throw new Error(t('reviewClosed'))
      }
    } catch (failure) {
      // Where it cannot be waited for any more nobody is to decide on it.
      if (failure instanceof ApiError) await takeBack(info.close_ticket_api)
      throw failure
    } finally {
      window.removeEventListener('pagehide', onLeave)
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
      show({ assetName, ticket: undefined, isUnreachable: false, go: answer(true), cancel: answer(false) })
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
