import { User } from '@sallyport/contract/resources/users'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import type { ValuesOf } from '../../../kit/form/form-spec.ts'
import { currentSession, useSession } from '../../../kit/session/session.ts'
import { passwordProblem } from './password-rule.ts'
import { groupSource, orgRoleSource, systemRoleSource } from '../sources.ts'

type Values = ValuesOf<typeof User, 'update_password' | 'set_public_key'>
const isLocal = (values: Values) => values.source === 'local'
/** The password is typed here, where it is kept here: on creation by choice, later after asking to change it. */
const typesPassword = (values: Values, updating: boolean) =>
  isLocal(values) && (updating ? values.update_password === true : values.password_strategy === 'custom')

/** `strategy`: what is said of the ways to get a first password. */
const formWith = (strategy: {
  initial?: 'custom'
  closed?: readonly string[]
  help?: 'console:mailUnavailable'
}) =>
  resourceForm(User, {
    groups: [
      ['accountGroup', ['name', 'username', 'email', 'groups']],
      [
        'authenticationGroup',
        [
          'password_strategy',
          'update_password',
          'password',
          'need_update_password',
          'set_public_key',
          'public_key',
          'mfa_level',
          'source',
        ],
      ],
      ['console:secure', ['system_roles', 'org_roles', 'is_active', 'date_expired']],
      ['other', ['phone', 'wechat', 'comment']],
    ],
    fields: {
      groups: { relation: groupSource, copied: false, disabled: (_values, { access }) => access.inRoot },
      password_strategy: {
        ...strategy,
        hidden: (values, { updating }) => updating || !isLocal(values),
      },
      password: {
        required: true,
        hidden: (values, { updating }) => !typesPassword(values, updating),
        rules: [
          (value, values, t) => {
            const roles = [values.system_roles, values.org_roles].flat()
            return passwordProblem(value, roles, currentSession()?.settings.PASSWORD_RULE, t)
          },
        ],
      },
      need_update_password: {
        widget: 'checkbox',
        label: 'console:updatePasswordNextLogin',
        initial: true,
        hidden: (values, { updating }) =>
          !typesPassword(values, updating) || (updating && values.can_public_key_auth !== true),
      },
      public_key: { widget: 'textarea', hidden: (values) => values.set_public_key !== true },
      system_roles: { relation: systemRoleSource },
      org_roles: {
        relation: orgRoleSource,
        help: 'console:orgRolesHelp',
        required: (_values, { access }) => access.hasLicence && !access.inRoot,
        hidden: (_values, { access }) => access.inRoot || !access.hasLicence,
      },
      phone: { widget: 'phone' },
    },
    own: {
      update_password: {
        widget: 'checkbox',
        label: 'updatePassword',
        hidden: (values, { updating }) => !updating || !isLocal(values),
      },
      set_public_key: {
        widget: 'checkbox',
        label: 'console:setPublicKey',
        hidden: (_values, { updating }) => !updating,
      },
    },
  })

const withMail = formWith({})
// The wire takes a link for granted where nothing is said; while none can be sent, nobody would be told.
const withoutMail = formWith({ initial: 'custom', closed: ['email'], help: 'console:mailUnavailable' })

/** How a person's account is created and changed. */
export const useUserForm = () => (useSession().settings.EMAIL_ENABLED ? withMail : withoutMail)
