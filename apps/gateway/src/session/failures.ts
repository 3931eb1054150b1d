import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import type { Outcome } from './outcome.ts'

/** Refuses before there is a session; the message is a sentence for the person. */
export class RefusedError extends Error {
  override name = 'RefusedError'
}

/** Why the target could not be reached or used; the message is a sentence for the person. */
export class TargetFailure extends Error {
  override name = 'TargetFailure'
}

/** The connection broke before anything was asked of the target on it; its cause says why. On another one nothing is done twice. */
export class UnopenedError extends Error {
  override name = 'UnopenedError'
}

/** A judge refused the one command the session was for; the message is a sentence for the person. */
export class CommandRefusedError extends Error {
  override name = 'CommandRefusedError'
}

/** How a session ends that something went wrong with; `isOnBooks`: the server knows of it. */
export function outcomeOf(error: unknown, isOnBooks: boolean, language: Language): Outcome {
  if (error instanceof RefusedError) return { reason: 'refused', detail: error.message }
  if (error instanceof TargetFailure) return { reason: 'target_failed', detail: error.message }
  if (error instanceof CommandRefusedError) return { reason: 'command_refused', detail: error.message }
  if (!isOnBooks) return { reason: 'refused', detail: gatewayMessage(language, 'server_away') }
  return { reason: 'internal_error', detail: '' }
}
