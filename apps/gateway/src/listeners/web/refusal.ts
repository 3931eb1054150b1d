import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import type { TerminalEnd } from '@sallyport/contract/terminal-socket'

/** The end of a socket that got nowhere. */
export function refusal(language: Language, key: 'refused' | 'session_not_found', detail = ''): TerminalEnd {
  const message = gatewayMessage(language, key, { detail })
  const reason = key === 'session_not_found' ? 'not_found' : 'refused'
  return { reason, detail, message, can_reattach: false }
}
