import { targetMessage, type TargetMessage } from '@sallyport/contract/messages/gateway-targets'
import type { Language } from '@sallyport/contract/messages/language'

/** Why a target could not be reached or used. */
export type TargetErrorCode = Extract<TargetMessage, `target_${string}`>

/** The message is English and for the log; `code` and `params` are what a person's sentence is made of. */
export class TargetError extends Error {
  readonly code: TargetErrorCode
  readonly params: Record<string, string>

  constructor(code: TargetErrorCode, message: string, params: Record<string, string> = {}, cause?: unknown) {
    super(message, { cause })
    this.name = 'TargetError'
    this.code = code
    this.params = params
  }

  /** What to tell the person. */
  sentence(language: Language): string {
    return targetMessage(language, this.code, this.params)
  }
}

const SYSTEM_CODES: Record<string, [TargetErrorCode, string]> = {
  ECONNREFUSED: ['target_refused', 'nothing listens there'],
  EHOSTUNREACH: ['target_unreachable', 'there is no route to it'],
  ENETUNREACH: ['target_unreachable', 'its network can not be reached'],
  EADDRNOTAVAIL: ['target_unreachable', 'its network can not be reached'],
  EHOSTDOWN: ['target_unreachable', 'it is down'],
  ETIMEDOUT: ['target_no_answer', 'it does not answer'],
  ENOTFOUND: ['target_name_not_found', 'its name is not known'],
  EAI_AGAIN: ['target_name_not_found', 'the name service does not answer'],
  ECONNRESET: ['target_lost', 'it closed the connection'],
  EPIPE: ['target_lost', 'it closed the connection'],
}

/** Says what went wrong on the way to `where` (`address:port`), from what the system or ssh2 reported. */
export function targetError(error: unknown, where: string): TargetError {
  if (error instanceof TargetError) return error
  const { code, level, message } = describe(error)
  const known = code ? SYSTEM_CODES[code] : undefined
  if (known) return new TargetError(known[0], `${where}: ${known[1]}`, { where }, error)
  if (level === 'client-authentication') {
    return new TargetError(
      'target_auth_failed',
      `${where} refused the account's credentials`,
      { where },
      error,
    )
  }
  if (level === 'client-timeout') {
    return new TargetError('target_no_answer', `${where} does not answer`, { where }, error)
  }
  if (level === 'handshake' && message.startsWith('Handshake failed: no matching')) {
    return new TargetError('target_no_common_algorithm', `${where}: ${message}`, { where }, error)
  }
  if (level === 'protocol' || message.includes('Invalid identification') || message.includes('greeting')) {
    return new TargetError('target_not_ssh', `${where} does not speak SSH: ${message}`, { where }, error)
  }
  return new TargetError('target_lost', `The connection to ${where} broke: ${message}`, { where }, error)
}

function describe(error: unknown): { code?: string; level?: string; message: string } {
  if (!(error instanceof Error)) return { message: String(error) }
  const text = (key: string) => {
    const value: unknown = Reflect.get(error, key)
    return typeof value === 'string' ? value : undefined
  }
  return { code: text('code'), level: text('level'), message: error.message }
}
