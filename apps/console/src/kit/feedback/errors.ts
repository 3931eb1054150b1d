import { useCallback } from 'react'
import { ApiError, longestText } from '../api/errors.ts'
import { ConfirmationCancelled } from '../confirm/step-up.ts'
import { LoadFailed } from '../loading/load-code.ts'
import { type KitMessage, type KitText, useKitText } from '../text.ts'
import { toast } from './toast.ts'

const messageByStatus: Record<number, KitMessage> = {
  400: 'errorBadRequest',
  401: 'errorSignedOut',
  403: 'errorForbidden',
  404: 'errorNotFound',
  409: 'errorBusy',
  413: 'errorTooLarge',
}

const mostSentences = 3

/** What happened, for a person: the server's own sentence where it has one, or what it says of single fields, else ours for the status. */
export function describeError(error: unknown, t: KitText): string {
  if (error instanceof LoadFailed) {
    return t(error.reason === 'upgraded' ? 'consoleUpgraded' : 'errorNetwork')
  }
  if (!(error instanceof ApiError)) {
    return error instanceof Error && error.message ? error.message : t('errorUnknown')
  }
  if (error.status === 0) {
    return t(error.code === 'timeout' ? 'errorTimeout' : 'errorNetwork')
  }
  if (error.serverText) {
    return error.serverText
  }
  const ofFields = new Set(Object.values(error.fieldErrors))
  if (ofFields.size > 0) {
    return [...ofFields].slice(0, mostSentences).join('; ').slice(0, longestText)
  }
  const message = messageByStatus[error.status]
  return message ? t(message) : t('errorStatus', { status: error.status })
}

/** What a toast says of an error: nothing of a confirmation given up, nor of an ended login, which the page tells by itself. */
export function toastText(error: unknown, t: KitText): string | undefined {
  const isTold = error instanceof ApiError && error.status === 401
  return isTold || error instanceof ConfirmationCancelled ? undefined : describeError(error, t)
}

/** Shows an error as a toast, where there is something to say. */
export function useErrorToast(): (error: unknown) => void {
  const t = useKitText()
  return useCallback(
    (error) => {
      const text = toastText(error, t)
      if (text !== undefined) toast.error(text)
    },
    [t],
  )
}
