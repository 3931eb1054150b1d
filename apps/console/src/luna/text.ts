import type { en } from '@sallyport/contract/messages/luna'
import type { TextName } from '@sallyport/contract/messages/language'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

export type LunaMessage = TextName<typeof en>
export type LunaText = (key: LunaMessage, values?: Record<string, string | number>) => string

/** The terminal pages' own texts in the person's language (namespace `luna`). */
export function useText(): LunaText {
  const { t } = useTranslation('luna')
  return useCallback((key, values = {}) => t(key, values), [t])
}
