import { passwordRulesOf } from '@sallyport/contract/password-rules'
import { useAccess } from '../../kit/access/access.ts'
import type { WidgetProps } from '../../kit/form/form-spec.ts'
import { PasswordWidget } from '../../kit/form/widgets/texts.tsx'
import { PasswordRuleList } from '../../kit/password/password-rule-list.tsx'
import { useSession } from '../../kit/session/session.ts'

/** A password of one's own choice, with the rules it has to follow. */
export function NewPassword(props: WidgetProps) {
  const { settings } = useSession()
  const { can } = useAccess()
  const rulesId = `${props.id}-rules`
  return (
    <>
      <PasswordWidget {...props} describedBy={[props.describedBy, rulesId].filter(Boolean).join(' ')} />
      <PasswordRuleList
        id={rulesId}
        rules={passwordRulesOf(settings.PASSWORD_RULE, can('rbac.view_console'))}
        password={typeof props.value === 'string' ? props.value : ''}
      />
    </>
  )
}
