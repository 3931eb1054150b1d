import { setTimeout as sleep } from 'node:timers/promises'
import type { Review, ReviewStatus } from '@sallyport/contract/gateway/reviews'
import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import type { Language } from '@sallyport/contract/messages/language'
import type { Log } from '../log.ts'
import type { Hold } from '../session/gate.ts'
import type { DecidedReviews } from './decided-reviews.ts'

export interface WaitingServices {
  api: {
    reviewStatus(ticket: string): Promise<ReviewStatus>
    closeReview(ticket: string): Promise<void>
  }
  decidedReviews: DecidedReviews
  language: Language
  log: Log
}

/** What became of a request: `by` decided it; nobody did in time; the person waits no more. */
export type Decision = { kind: 'approved' | 'rejected'; by: string } | { kind: 'late' | 'given_up' }

/** The server closes a request after ten minutes; this is for one that does not. */
const waitMs = 15 * 60_000
/** The server says so at once; this is for when that was not heard. */
const askEveryMs = 10_000
const answersMax = 3
const giveUpKeys = ['\u0003', '\u0004']

const isGivingUp = (keys: string) => giveUpKeys.some((key) => keys.includes(key))

/** Whether the person wants to wait for others; `true` where nobody can be asked, for then they are gone when they do not. */
export async function wantsToWait(question: string, hold: Hold): Promise<boolean> {
  if (!hold.canAsk) return true
  for (let asked = 0; asked < answersMax; asked++) {
    const answer = await hold.ask(question)
    if (answer === undefined || /^n/i.test(answer) || isGivingUp(answer)) return false
    if (/^[y\r\n]/i.test(answer)) return true
  }
  return false
}

/**
 * Waits until the reviewers have decided; Ctrl-C and Ctrl-D end it, everything else the person types is dropped. A request nobody waits for any more is closed.
 * Rejects when what is held ends.
 */
export async function decisionOn(
  { ticket, page }: Review,
  hold: Hold,
  services: WaitingServices,
): Promise<Decision> {
  const { language, log, api } = services
  const over = new AbortController()
  const signal = AbortSignal.any([hold.signal, over.signal])
  let isDecided = false
  hold.tell(filterMessage(language, 'review_ticket', { url: page }))
  try {
    const decision = await Promise.race([
      decided(ticket, signal, services),
      givenUp(hold, signal),
      sleep(waitMs, { kind: 'late' } as const, { signal, ref: false }),
      counting(hold, language, signal),
    ])
    isDecided = 'by' in decision
    return decision
  } finally {
    over.abort()
    if (!isDecided)
      await api.closeReview(ticket).catch((error: unknown) => {
        log.warn({ err: error }, 'a request for a review could not be closed')
      })
  }
}

async function decided(
  ticket: string,
  signal: AbortSignal,
  { api, log, decidedReviews }: WaitingServices,
): Promise<Decision> {
  let news = Promise.withResolvers<void>()
  const leave = decidedReviews.follow(ticket, () => news.resolve())
  try {
    for (;;) {
      // What is told while it is asked is asked again.
      news = Promise.withResolvers<void>()
      try {
        const { state, by } = await api.reviewStatus(ticket)
        if (state === 'approved' || state === 'rejected') return { kind: state, by }
        if (state === 'closed') return { kind: 'late' }
      } catch (error) {
        log.warn({ err: error }, 'what became of a review could not be asked')
      }
      await newsOr(news.promise, signal)
    }
  } finally {
    leave()
  }
}

async function newsOr(news: Promise<void>, signal: AbortSignal): Promise<void> {
  const heard = new AbortController()
  const either = AbortSignal.any([signal, heard.signal])
  try {
    await Promise.race([news, sleep(askEveryMs, undefined, { signal: either })])
  } finally {
    heard.abort()
  }
}

/** Never settles where nobody can be asked. */
async function givenUp({ next }: Hold, signal: AbortSignal): Promise<Decision> {
  for (;;) {
    const keys = await next(signal)
    if (keys === undefined) return await new Promise(() => {})
    if (isGivingUp(keys.toString('latin1'))) return { kind: 'given_up' }
  }
}

async function counting({ show }: Hold, language: Language, signal: AbortSignal): Promise<never> {
  for (let seconds = 1; ; seconds++) {
    await sleep(1000, undefined, { signal })
    show(`\r\u001b[K${filterMessage(language, 'review_waited', { seconds })}`)
  }
}
