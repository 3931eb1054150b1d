import { expect, test } from 'vitest'
import { brokenRules, passwordRulesOf } from './password-rules.ts'

const settings = {
  SECURITY_PASSWORD_MIN_LENGTH: 6,
  SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: 10,
  SECURITY_PASSWORD_UPPER_CASE: true,
  SECURITY_PASSWORD_LOWER_CASE: true,
  SECURITY_PASSWORD_NUMBER: true,
  SECURITY_PASSWORD_SPECIAL_CHAR: true,
}
const everything = passwordRulesOf(settings, false)

test('a good password breaks no rule, in any script', () => {
  expect(brokenRules('Abc-12', everything)).toEqual([])
  expect(brokenRules('Жук-٣٤', everything)).toEqual([])
})

test.each([
  ['Ab-1', ['min_length']],
  ['abc-12', ['upper_case']],
  ['ABC-12', ['lower_case']],
  ['Abc-de', ['number']],
  ['Abc123', ['special_char']],
  [' Abc-12', ['first_char']],
  ['', ['min_length', 'upper_case', 'lower_case', 'number', 'special_char', 'first_char']],
])('%j breaks %j', (password, broken) => expect(brokenRules(password, everything)).toEqual(broken))

test('rules that are switched off are not broken, and administrators need longer passwords', () => {
  const off = passwordRulesOf(
    {
      ...settings,
      SECURITY_PASSWORD_UPPER_CASE: false,
      SECURITY_PASSWORD_LOWER_CASE: false,
      SECURITY_PASSWORD_NUMBER: false,
      SECURITY_PASSWORD_SPECIAL_CHAR: false,
    },
    true,
  )
  expect(brokenRules('----------', off)).toEqual([])
  expect(brokenRules('abcdefgh', off)).toEqual(['min_length'])
  expect(brokenRules('abcdefghij', off)).toEqual([])
})
