import type { LoginAcl } from '@sallyport/contract/resources/acls'
import { useTranslation } from 'react-i18next'
import { weekOf } from '../../../kit/form/week/hours.ts'

/** The addresses and hours a rule is about, a line for each day that has any. A day ends at 24:00 to people. */
export function LoginRuleText({ rules }: { rules: LoginAcl['rules'] }) {
  const { i18n } = useTranslation()
  const names = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' })
  return (
    <>
      <div>{rules.ip_group.join(', ')}</div>
      {weekOf(rules.time_period)
        .filter(({ value }) => value !== '')
        .map(({ id, value }) => (
          <div key={id}>
            {names.format(new Date(Date.UTC(2023, 0, 1 + id)))}: {value.replaceAll('~00:00', '~24:00')}
          </div>
        ))}
    </>
  )
}
