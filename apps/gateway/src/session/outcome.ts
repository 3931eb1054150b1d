import type { EndReason } from '@sallyport/contract/recording'
import type { Language } from '@sallyport/contract/messages/language'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'

/** How a session ended; `refused` ones never were on the server's books. */
export interface Outcome {
  reason: EndReason | 'refused'
  /** For the books and for the person: who ended it, what the target said. */
  detail: string
  /** Figures the sentences of `idle` and `max_time` need. */
  values?: { minutes: number } | { hours: number }
}

/** What the person is told, or undefined where the end is their own doing. */
export function outcomeSentence(outcome: Outcome, language: Language, sessionId: string): string | undefined {
  if (outcome.reason === 'client_left' || outcome.reason === 'target_closed') return undefined
  return gatewayMessage(language, outcome.reason, {
    detail: outcome.detail,
    who: outcome.detail,
    id: sessionId,
    minutes: 0,
    hours: 0,
    ...outcome.values,
  })
}
