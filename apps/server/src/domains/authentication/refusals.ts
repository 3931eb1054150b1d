import { type ErrorKey, errors, type Language, type Params, translate } from '@sallyport/contract'
import { ApiError } from '../../kernel/errors.ts'

/** 401 for credentials that were given and are wrong. */
export const failed = (reason: ErrorKey) =>
  new ApiError(401, reason, {
    body: (language) => ({ detail: translate(errors, language, reason), code: 'authentication_failed' }),
  })

/** `{error: code, msg: text}`: how a sign-in is refused. */
export const refusal = (error: string, language: Language, reason: ErrorKey, params?: Params) => ({
  error,
  msg: translate(errors, language, reason, params),
})
