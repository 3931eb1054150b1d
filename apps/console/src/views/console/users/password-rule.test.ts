import { roleIds } from '@sallyport/contract/rbac/roles'
import { expect, test } from 'vitest'
import type { KitText } from '../../../kit/text.ts'
import { passwordProblem } from './password-rule.ts'

const rules = {
  SECURITY_PASSWORD_MIN_LENGTH: 8,
  SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: 12,
  SECURITY_PASSWORD_UPPER_CASE: true,
  SECURITY_PASSWORD_LOWER_CASE: false,
  SECURITY_PASSWORD_NUMBER: true,
  SECURITY_PASSWORD_SPECIAL_CHAR: false,
}
const t = ((_key: string, { count }: { count: number }) => `at least ${count}`) as unknown as KitText
const problem = (password: string, roles: string[] = [roleIds.user]) =>
  passwordProblem(password, roles, rules, t)

test('a password an administrator types for somebody follows the rules of the platform', () => {
  expect(problem('Short-1')).toBe('at least 8')
  expect(problem('no-capital-letter-1')).toBe('at least 8')
  expect(problem('No-digit-in-it')).toBe('at least 8')
  expect(problem('Long-enough-1')).toBeUndefined()
  expect(problem('Capital-1', [roleIds.orgAdmin])).toBe('at least 12')
  // Nothing typed: the password stays as it is.
  expect(problem('')).toBeUndefined()
})
