import { brokenRules, type PasswordSettings, passwordRulesOf } from '@sallyport/contract/password-rules'
import type { KitText } from '../../../kit/text.ts'

/** The built-in roles SystemAdmin and OrgAdmin by their ids on the wire: their declaration brings all permissions along. */
const administrators: readonly unknown[] = [1, 5].map(
  (number) => `00000000-0000-0000-0000-00000000000${number}`,
)

/** What is wrong with a password an administrator types for somebody, by the rules of the platform; administrators have a length of their own. */
export function passwordProblem(
  password: unknown,
  roles: readonly unknown[],
  rules: PasswordSettings | undefined,
  t: KitText,
): string | undefined {
  if (typeof password !== 'string' || password === '' || rules === undefined) return undefined
  const asked = passwordRulesOf(
    rules,
    roles.some((role) => administrators.includes(role)),
  )
  return brokenRules(password, asked).length > 0
    ? t('passwordRulesBroken', { count: asked.min_length })
    : undefined
}
