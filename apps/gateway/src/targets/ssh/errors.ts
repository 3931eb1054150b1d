import {
  AuthError,
  NoCommonAlgorithmError,
  PeerDisconnectError,
  SshError,
  TimeoutError as SshTimeoutError,
} from '@sallyport/ssh'
import {
  type TargetMessage,
  targetMessages,
  type TargetParams,
} from '@sallyport/contract/messages/gateway-targets'
import { type Language, translate } from '@sallyport/contract/messages/language'

/** Why a target could not be reached or used. The message is English and for the log; `code` and `params` are what a person's sentence is made of. */
export class TargetError<K extends TargetMessage = TargetMessage> extends Error {
  readonly code: K
  readonly params: TargetParams<K>

  constructor(code: K, message: string, params: TargetParams<K>, cause?: unknown) {
    super(message, { cause })
    this.name = 'TargetError'
    this.code = code
    this.params = params
  }

  /** What to tell the person. */
  sentence(language: Language): string {
    return translate<TargetMessage>(targetMessages, language, this.code, this.params)
  }
}

/** Those that say nothing but where. */
type PlaceCode = {
  [K in TargetMessage]: keyof TargetParams<K> extends 'where' ? K : never
}[TargetMessage]

const SYSTEM_CODES: Record<string, [PlaceCode, string]> = {
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

/** Says what went wrong on the way to `where` (`address:port`), from what the system or the SSH connection reported. */
export function targetError(error: unknown, where: string): TargetError {
  const known = targetErrorIn(error)
  if (known) return known
  const make = (code: PlaceCode, message: string) => new TargetError(code, message, { where }, error)
  const system = SYSTEM_CODES[codeOf(error) ?? '']
  if (system) return make(system[0], `${where}: ${system[1]}`)
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof AuthError)
    return make('target_auth_failed', `${where} refused the account's credentials`)
  if (error instanceof SshTimeoutError || isTimeout(error)) {
    return make('target_no_answer', `${where} does not answer`)
  }
  if (error instanceof NoCommonAlgorithmError) {
    return make('target_no_common_algorithm', `${where}: ${message}`)
  }
  if (error instanceof PeerDisconnectError) {
    return make('target_lost', `${where} ended the connection: ${error.peerText}`)
  }
  if (error instanceof SshError && NOT_SSH.has(error.reason)) {
    return make('target_not_ssh', `${where} does not speak SSH: ${message}`)
  }
  return make('target_lost', `The connection to ${where} broke: ${message}`)
}

const NOT_SSH = new Set(['versionNotSupported', 'protocolError'])

/** It, or what it was caused by: a stream that broke knows better why than the connection that ran over it. */
function targetErrorIn(error: unknown): TargetError | undefined {
  if (error instanceof TargetError) return error
  return error instanceof Error ? targetErrorIn(error.cause) : undefined
}

/** The target ended the connection as one does when there is nothing more to be done. */
export function isGoodbye(error: SshError): boolean {
  return error instanceof PeerDisconnectError && error.reason === 'byApplication'
}

/** Of the dialing. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError' && isTimeoutReason(error.cause)
}

function isTimeoutReason(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'TimeoutError'
}

/** The system's, of an error or of what caused it. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : codeOf(error.cause)
}
