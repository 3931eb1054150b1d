/** What a password must be like that a person chooses. The server decides; a form shows it as one types. */
export interface PasswordRules {
  min_length: number
  upper_case: boolean
  lower_case: boolean
  number: boolean
  special_char: boolean
}
export type PasswordRule = keyof PasswordRules | 'first_char'

/** The settings the rules come from: `PASSWORD_RULE` among the public settings. */
export interface PasswordSettings {
  SECURITY_PASSWORD_MIN_LENGTH: number
  SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: number
  SECURITY_PASSWORD_UPPER_CASE: boolean
  SECURITY_PASSWORD_LOWER_CASE: boolean
  SECURITY_PASSWORD_NUMBER: boolean
  SECURITY_PASSWORD_SPECIAL_CHAR: boolean
}

/** Longer ones are refused, in forms and by the server. */
export const maxPasswordLength = 128

const special = /[`~!@#$%^&*()\-=_+[\]{}|;:'",.<>/?]/
const tests: Record<Exclude<PasswordRule, 'min_length'>, RegExp> = {
  upper_case: /\p{Lu}/u,
  lower_case: /\p{Ll}/u,
  number: /\p{Nd}/u,
  special_char: special,
  first_char: new RegExp(`^(?:[\\p{L}\\p{N}]|${special.source})`, 'u'),
}

/** The rules for a person; those who administer anything have a minimum length of their own. */
export function passwordRulesOf(settings: PasswordSettings, isAdmin: boolean): PasswordRules {
  return {
    min_length: isAdmin
      ? settings.SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH
      : settings.SECURITY_PASSWORD_MIN_LENGTH,
    upper_case: settings.SECURITY_PASSWORD_UPPER_CASE,
    lower_case: settings.SECURITY_PASSWORD_LOWER_CASE,
    number: settings.SECURITY_PASSWORD_NUMBER,
    special_char: settings.SECURITY_PASSWORD_SPECIAL_CHAR,
  }
}

/** Whether a password follows one rule. `first_char`: it begins with a letter, a digit or one of the usual symbols. */
export function followsRule(password: string, rule: PasswordRule, rules: PasswordRules): boolean {
  if (rule === 'min_length') return password.length >= rules.min_length
  return tests[rule].test(password)
}

/** The rules in force that a password breaks; empty when it is good. */
export function brokenRules(password: string, rules: PasswordRules): PasswordRule[] {
  const { upper_case, lower_case, number, special_char } = rules
  const inForce = { min_length: true, upper_case, lower_case, number, special_char, first_char: true }
  const names = Object.keys(inForce) as (keyof typeof inForce)[]
  return names.filter((name) => inForce[name] && !followsRule(password, name, rules))
}
