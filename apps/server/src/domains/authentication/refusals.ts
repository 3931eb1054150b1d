import { type ErrorKey, errors, type SignInOwed, translate } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Owed, Refused } from './steps/step.ts'

/** 401 for credentials that were given and are wrong. */
export const failed = (reason: ErrorKey) =>
  new ApiError(401, reason, {
    body: (language) => ({ detail: translate(errors, language, reason), code: 'authentication_failed' }),
  })

export const captchaWrong: Refused = { is: 'refused', error: 'captcha_failed', reason: 'captcha_failed' }

/** `{error: code, msg: text}`: how a sign-in is refused. */
export function refusedSignIn({ language }: Pick<Context, 'language'>, refused: Refused) {
  const { error, reason, params, passwordRules } = refused
  const msg = translate(errors, language, reason, params)
  // The wire has the sentence in the place of the code here.
  if (reason === 'mfa_unset') return { error: msg, msg, code: reason }
  return { error, msg, ...(passwordRules && { password_rules: passwordRules }) }
}

export const refusal = (ctx: Pick<Context, 'language'>, refused: Refused) =>
  new ApiError(400, refused.reason, { body: () => refusedSignIn(ctx, refused) })

/** What is asked for next. */
export const owed = (
  { language }: Pick<Context, 'language'>,
  { error, reason, choices, ticketId }: Pick<Owed, 'error' | 'reason' | 'choices' | 'ticketId'>,
): SignInOwed => ({
  error,
  msg: translate(errors, language, reason),
  data: {
    ...(choices !== undefined && { choices, url: '/api/v1/authentication/mfa/challenge/' }),
    ...(ticketId !== undefined && { ticket_id: ticketId }),
  },
})

/** A confirmation that was asked for, and will not come. */
export const confirmRefused = (
  { language }: Pick<Context, 'language'>,
  { reason, params }: Pick<Refused, 'reason' | 'params'>,
  { ticketId, username }: { ticketId?: string | undefined; username?: string | undefined },
) => ({
  error: 'login_confirm_error' as const,
  msg: translate(errors, language, reason, params),
  data: {
    ...(ticketId !== undefined && { ticket_id: ticketId }),
    ...(username !== undefined && { username }),
  },
})
