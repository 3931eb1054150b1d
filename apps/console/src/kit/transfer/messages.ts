import type { TextName } from '@sallyport/contract/messages/language'
import type { en } from '@sallyport/contract/messages/transfer'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'

export type TransferText = (key: TextName<typeof en>, values?: Record<string, string | number>) => string

/** Texts of importing and exporting, which come with its code (namespace `transfer`). */
export function useTransferText(): TransferText {
  const { t } = useTranslation('transfer')
  return useCallback((key, values) => t(key, { ...values }), [t])
}
