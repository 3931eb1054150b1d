import { brokenRules, type PasswordRule, type PasswordRules } from '@sallyport/contract/password-rules'
import { useKitText } from '../text.ts'
import styles from './password.module.css'

const texts = {
  min_length: 'ruleMinLength',
  upper_case: 'ruleUpperCase',
  lower_case: 'ruleLowerCase',
  number: 'ruleNumber',
  special_char: 'ruleSpecialChar',
  first_char: 'ruleFirstChar',
} as const satisfies Record<PasswordRule, string>

/** The rules in force, each ticked as soon as the password follows it. The rule of beginnings shows only when it is broken. */
export function PasswordRuleList({
  id,
  rules,
  password,
}: {
  id: string
  rules: PasswordRules
  password: string
}) {
  const t = useKitText()
  const broken = brokenRules(password, rules)
  const shown = (Object.keys(texts) as PasswordRule[]).filter((rule) => {
    if (rule === 'first_char') return password !== '' && broken.includes(rule)
    return rule === 'min_length' || rules[rule]
  })
  return (
    <ul className={styles.rules} id={id}>
      {shown.map((rule) => {
        const isMet = !broken.includes(rule)
        return (
          <li key={rule} data-met={isMet}>
            <span aria-hidden>{isMet ? '✓' : '·'}</span>
            {t(texts[rule], { min: rules.min_length })}
            {isMet && <span className={styles.unseen}>{t('ruleMet')}</span>}
          </li>
        )
      })}
    </ul>
  )
}
