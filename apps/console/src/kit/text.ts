import type { en as consoleMessages } from '@sallyport/contract/messages/console'
import type { en } from '@sallyport/contract/messages/kit'
import type { TextName } from '@sallyport/contract/messages/language'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

export type KitMessage = TextName<typeof en>
export type KitText = (key: KitMessage, values?: Record<string, string | number>) => string

/** The kit's own texts in the person's language (namespace `kit`). */
export function useKitText(): KitText {
  const { t } = useTranslation('kit')
  return useCallback((key, values) => t(key, { ...values }), [t])
}

/** A text of the console's own catalogue: what screens name in their declarations. */
export type MessageKey = TextName<typeof consoleMessages>

/** The same, or with `kit:` before it a text of the kit. */
export type TextKey = MessageKey | `kit:${KitMessage}`
export type Text = (key: TextKey, values?: Record<string, string | number>) => string

/** The texts screens name, in the person's language. */
export function useMessages(): Text {
  const { t } = useTranslation(['console', 'kit'])
  return useCallback((key, values) => t(key, { ...values }), [t])
}
