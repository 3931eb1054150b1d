import { gatewayMenu, type GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import type { Language, Params } from '@sallyport/contract/messages/language'
import { translateForTerminal } from '@sallyport/contract/messages/terminal-text'

export const say = (language: Language, key: GatewayMenuKey, params?: Params): string =>
  translateForTerminal(gatewayMenu, language, key, params)
