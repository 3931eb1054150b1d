import type { Language } from '@sallyport/contract/messages/language'
import { gatewayMenu, type GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import { translate, type Params } from '@sallyport/contract/messages/language'

/** A sentence of the catalogue; parameters can't carry control characters to the terminal. */
export function say(language: Language, key: GatewayMenuKey, params: Params = {}): string {
  const safe = Object.entries(params).map(([name, value]) => [name, printable(String(value))])
  return translate(gatewayMenu, language, key, Object.fromEntries(safe))
}

/** Text of others in one line without anything a terminal would obey. */
export function printable(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '')
}
