import { en } from '@sallyport/contract/messages/kit'
import { expect, test } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { ConfirmationCancelled } from '../confirm/step-up.ts'
import { describeError, toastText } from './errors.ts'

test('of an ended login and of a confirmation given up no toast tells', () => {
  const t = (key: string) => key
  expect(toastText(new ApiError(401, 'not_authenticated', { detail: 'Log in' }), t)).toBeUndefined()
  expect(toastText(new ConfirmationCancelled(), t)).toBeUndefined()
  expect(toastText(new ApiError(403, 'permission_denied', null), t)).toBe('errorForbidden')
})

test('an error is told in the words of the server, else by its status', () => {
  const told = (status: number, body: unknown = null) =>
    describeError(new ApiError(status, 'code', body), (key) => key)
  expect(told(400)).toBe('errorBadRequest')
  expect(told(404)).toBe('errorNotFound')
  expect(told(409)).toBe('errorBusy')
  expect(told(502)).toBe('errorStatus')
  expect(told(409, { detail: 'The tree is being rebuilt' })).toBe('The tree is being rebuilt')
  expect(told(400, { name: ['It is taken.'], value: ['It is taken.', 'It is long.'] })).toBe(
    'It is taken.; It is taken., It is long.',
  )
  expect(told(400, { name: 'It is taken.', code: 'invalid', key: ['It is taken.'] })).toBe('It is taken.')
  expect(told(400, { a: 'A', b: 'B', c: 'C', d: 'D' })).toBe('A; B; C')
  expect(told(400, { name: 'x'.repeat(5000) })).toHaveLength(1000)
  expect([en.errorBadRequest, en.errorNotFound, en.errorBusy]).toEqual([
    'Request error, please check what you filled in',
    'Object not found or deleted',
    'Being updated, please retry later',
  ])
})
