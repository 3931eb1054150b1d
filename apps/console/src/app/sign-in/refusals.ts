import type { PasswordRules } from '@sallyport/contract/password-rules'
import { ApiError, isRecord } from '../../kit/api/errors.ts'

/** The server wants a new password before it lets this person in. */
export interface PasswordDemand {
  reason: string
  rules: PasswordRules
}

/**
 * Why the server refused, in its own words, with the tries left or the minutes to wait. Here `error` is a code, not a
 * sentence.
 */
export function refusalText(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError)) return undefined
  const { body, serverText } = failure
  return isRecord(body) && typeof body['msg'] === 'string' ? body['msg'] : serverText
}

/**
 * The new password the server asks for, if that is why it refused. It comes with the rules that password must follow;
 * they also come when the new password was not good enough.
 */
export function passwordDemand(failure: unknown): PasswordDemand | undefined {
  if (!(failure instanceof ApiError) || !isRecord(failure.body)) return undefined
  const { error, password_rules: rules } = failure.body
  if (typeof error !== 'string' || !isRecord(rules)) return undefined
  const { min_length: least } = rules
  return {
    reason: error,
    rules: {
      min_length: typeof least === 'number' ? least : 1,
      upper_case: rules['upper_case'] === true,
      lower_case: rules['lower_case'] === true,
      number: rules['number'] === true,
      special_char: rules['special_char'] === true,
    },
  }
}
