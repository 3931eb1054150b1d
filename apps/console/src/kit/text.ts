import type { en } from '@sallyport/contract/messages/kit'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

export type KitMessage = keyof typeof en
export type KitText = (key: KitMessage, values?: Record<string, string | number>) => string

/** The kit's own texts in the person's language (namespace `kit`). */
export function useKitText(): KitText {
  const { t } = useTranslation('kit')
  return useCallback((key, values) => t(key, { ...values }), [t])
}
