import { expect, test } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { ConfirmationCancelled } from '../confirm/step-up.ts'
import { toastText } from './errors.ts'

test('of an ended login and of a confirmation given up no toast tells', () => {
  const t = (key: string) => key
  expect(toastText(new ApiError(401, 'not_authenticated', { detail: 'Log in' }), t)).toBeUndefined()
  expect(toastText(new ConfirmationCancelled(), t)).toBeUndefined()
  expect(toastText(new ApiError(403, 'permission_denied', null), t)).toBe('errorForbidden')
})
