import { useCallback } from 'react'
import { ApiError } from '../kit/api/errors.ts'
import { describeError } from '../kit/feedback/errors.ts'
import { useKitText } from '../kit/text.ts'
import { type LunaMessage, useText } from './text.ts'

/** Refusals of a connection, told better than by the server's short words. */
const codeTexts: Record<string, LunaMessage> = {
  perm_account_invalid: 'errorAccountInvalid',
  perm_expired: 'errorPermissionExpired',
  acl_reject: 'errorRejectedByRule',
  acl_review: 'errorReviewNeeded',
}

/** What went wrong, as a sentence for the person. */
export function useErrorText(): (error: unknown) => string {
  const t = useText()
  const kitText = useKitText()
  return useCallback(
    (error) => {
      if (!(error instanceof ApiError)) return describeError(error, kitText)
      const known = codeTexts[error.code]
      if (known) return t(known)
      const fields = Object.entries(error.fieldErrors).map(([field, text]) => `${field}: ${text}`)
      return error.serverText ?? (fields.length > 0 ? fields.join('; ') : describeError(error, kitText))
    },
    [t, kitText],
  )
}
