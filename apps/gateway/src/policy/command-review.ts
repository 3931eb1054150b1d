import { setTimeout as sleep } from 'node:timers/promises'
import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import type { Language } from '@sallyport/contract/messages/language'
import type { Log } from '../log.ts'
import { type Hold, passes, type Verdict } from '../session/gate.ts'
import { type CommandFilter, refusal } from './command-filter.ts'

/** A request for a review, where people decide about it. */
export interface ReviewTicket {
  url: string
  /** Whom it was put to, by name. */
  reviewers: string[]
  status(): Promise<{ state: 'pending' | 'approved' | 'rejected' | 'closed' | 'reopen'; by: string }>
  close(): Promise<void>
}

export interface ReviewServices {
  language: Language
  log: Log
  /** Puts the command to the reviewers of the filter. */
  open(filterId: string, command: string): Promise<ReviewTicket>
}

/** Has others decide about a command. `command`: what the filter found; `whole`: all of the line. */
export type Review = (
  filter: CommandFilter,
  what: { command: string; whole: string },
  hold: Hold,
) => Promise<Verdict>

const waitMs = 30 * 60_000
const askEveryMs = 2000
const answersMax = 3
const giveUpKeys = ['\u0003', '\u0004']

const isGivingUp = (keys: string) => giveUpKeys.some((key) => keys.includes(key))

export function commandReview(services: ReviewServices): Review {
  const { language, log } = services
  return async (filter, { command, whole }, hold) => {
    const reviewers = filter.reviewers.map(({ name }) => name).join(', ')
    const question = filterMessage(language, 'review_question', { command, reviewers })
    if (hold.canAsk && !(await isWanted(question, hold)))
      return refusal(filterMessage(language, 'review_given_up', { command }))
    let ticket: ReviewTicket
    try {
      ticket = await services.open(filter.id, whole)
    } catch (error) {
      log.warn({ err: error }, 'a command could not be put to its reviewers')
      return refusal(filterMessage(language, 'review_failed', { command }))
    }
    return await waited(ticket, command, hold, services)
  }
}

async function isWanted(question: string, hold: Hold): Promise<boolean> {
  for (let asked = 0; asked < answersMax; asked++) {
    const answer = await hold.ask(question)
    if (answer === undefined || /^n/i.test(answer) || isGivingUp(answer)) return false
    if (/^[y\r\n]/i.test(answer)) return true
  }
  return false
}

async function waited(
  ticket: ReviewTicket,
  command: string,
  hold: Hold,
  { language, log }: ReviewServices,
): Promise<Verdict> {
  const over = new AbortController()
  const signal = AbortSignal.any([hold.signal, over.signal])
  const close = async () => {
    try {
      await ticket.close()
    } catch (error) {
      log.warn({ err: error }, 'a request for a review could not be closed')
    }
  }
  hold.tell(filterMessage(language, 'review_asked', { command, reviewers: ticket.reviewers.join(', ') }))
  hold.tell(filterMessage(language, 'review_ticket', { url: ticket.url }))
  try {
    const end = await Promise.race([
      decided(ticket, signal, log),
      givenUp(hold, signal),
      sleep(waitMs, 'late' as const, { signal, ref: false }),
      counting(hold, language, signal),
    ])
    if (typeof end === 'string') {
      await close()
      return refusal(filterMessage(language, end === 'late' ? 'review_late' : 'review_given_up', { command }))
    }
    if (end.state !== 'approved') {
      return refusal(filterMessage(language, 'review_rejected', { who: end.by, command }))
    }
    hold.tell(filterMessage(language, 'review_approved', { who: end.by }))
    return passes
  } catch (error) {
    await close()
    throw error
  } finally {
    over.abort()
  }
}

type Decision = Awaited<ReturnType<ReviewTicket['status']>>

async function decided(ticket: ReviewTicket, signal: AbortSignal, log: Log): Promise<Decision> {
  for (;;) {
    await sleep(askEveryMs, undefined, { signal })
    try {
      const decision = await ticket.status()
      if (decision.state !== 'pending' && decision.state !== 'reopen') return decision
    } catch (error) {
      log.warn({ err: error }, 'what became of a review could not be asked')
    }
  }
}

/** Never settles where nobody can be asked. */
async function givenUp({ next }: Hold, signal: AbortSignal): Promise<'given_up'> {
  for (;;) {
    const keys = await next(signal)
    if (keys === undefined) return await new Promise(() => {})
    if (isGivingUp(keys.toString('latin1'))) return 'given_up'
  }
}

async function counting({ show }: Hold, language: Language, signal: AbortSignal): Promise<never> {
  for (let seconds = 1; ; seconds++) {
    await sleep(1000, undefined, { signal })
    show(`\r\u001b[K${filterMessage(language, 'review_waited', { seconds })}`)
  }
}
