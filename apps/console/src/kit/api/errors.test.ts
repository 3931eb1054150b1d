import { expect, test } from 'vitest'
import { apiErrorFrom, errorText, fieldErrorsOf } from './errors.ts'

test('the sentence shown is taken from error, msg, detail, non_field_errors, array items or plain text, in this order', () => {
  expect(errorText({ detail: 'd', msg: 'm', error: 'e' })).toBe('e')
  expect(errorText({ detail: 'd', msg: 'm' })).toBe('m')
  expect(errorText({ non_field_errors: ['a', 'b'] })).toBe('a; b')
  expect(errorText(['first', { detail: 'second' }])).toBe('first; second')
  expect(errorText('plain')).toBe('plain')
  expect(errorText('<!DOCTYPE html><html>…')).toBeUndefined()
  expect(errorText({ name: ['This field is required.'] })).toBeUndefined()
})

test('field errors are told per field, nested ones as "key: value"', () => {
  const body = {
    name: ['This field is required.', 'Too short.'],
    protocols: [{ port: ['A valid integer is required.'] }, {}],
    rules: { ip_group: { 0: ['IP address invalid: `x`'] } },
    detail: 'not a field',
    non_field_errors: ['neither'],
  }
  expect(fieldErrorsOf(body)).toEqual({
    name: 'This field is required., Too short.',
    protocols: 'port: A valid integer is required.',
    rules: 'ip_group: #1: IP address invalid: `x`',
  })
})

test('a refusal that asks for a confirmation is recognised by its code', () => {
  expect(apiErrorFrom(400, { code: 'mfa', detail: 'Confirm' }).confirmType).toBe('mfa')
  expect(apiErrorFrom(400, { code: 'error', detail: 'No' }).confirmType).toBeUndefined()
})
