import type { TextName } from '@sallyport/contract/messages/language'
import type { ResourceNamespaceMap } from 'i18next'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { type ViewName, viewNames } from './session/session.ts'

type MessageOf<Namespace extends keyof ResourceNamespaceMap> = TextName<ResourceNamespaceMap[Namespace]>

export type KitMessage = MessageOf<'kit'>
export type KitText = (key: KitMessage, values?: Record<string, string | number>) => string

/** The kit's own texts in the person's language (namespace `kit`). */
export function useKitText(): KitText {
  const { t } = useTranslation('kit')
  return useCallback((key, values) => t(key, { ...values }), [t])
}

/** A text of the shell, which every page has: the names in the menu, and what several views say alike. */
export type ShellMessage = MessageOf<'shell'>

/** What screens name in their declarations: a text of the shell, or with the view's name before it one of the view. */
export type MessageKey = ShellMessage | { [View in ViewName]: `${View}:${MessageOf<View>}` }[ViewName]

/** The same, or with `kit:` before it a text of the kit. */
export type TextKey = MessageKey | `kit:${KitMessage}`
export type Text = (key: TextKey, values?: Record<string, string | number>) => string

/** The texts screens name, in the person's language. */
export function useMessages(): Text {
  const { t } = useTranslation(['shell', 'kit', ...viewNames])
  return useCallback((key, values) => t(key, { ...values }), [t])
}
