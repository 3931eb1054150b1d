import { SecuritySettings } from '@sallyport/contract/resources/setting-pages'
import { passwordRuleNames } from '@sallyport/contract/settings'
import type { FieldsOf } from '../../kit/form/form-spec.ts'
import { FormPage } from '../../kit/form/form-page.tsx'
import { Page } from '../../kit/page/page.tsx'
import { refreshSettings } from '../../kit/session/refresh-settings.ts'

/** One of them at most is asked for on the login page, beside the password: what is switched on last. */
const besidePassword: FieldsOf<typeof SecuritySettings>['fields'] = {
  SECURITY_LOGIN_CHALLENGE_ENABLED: {
    help: 'settings:loginChallengeHelp',
    consequences: (isOn) =>
      isOn ? { SECURITY_MFA_IN_LOGIN_PAGE: false, SECURITY_LOGIN_CAPTCHA_ENABLED: false } : {},
  },
  SECURITY_MFA_IN_LOGIN_PAGE: {
    hidden: ({ SECURITY_MFA_AUTH: whom }, { access }) => whom !== 1 || !access.hasLicence,
    consequences: (isOn) =>
      isOn ? { SECURITY_LOGIN_CHALLENGE_ENABLED: false, SECURITY_LOGIN_CAPTCHA_ENABLED: false } : {},
  },
  SECURITY_LOGIN_CAPTCHA_ENABLED: {
    help: 'settings:loginCaptchaHelp',
    consequences: (isOn) =>
      isOn ? { SECURITY_LOGIN_CHALLENGE_ENABLED: false, SECURITY_MFA_IN_LOGIN_PAGE: false } : {},
  },
}

/** Who has to prove what when logging in, what passwords have to be, and how long sessions last. */
export default function Security() {
  return (
    <Page>
      <FormPage
        resource={SecuritySettings}
        groups={[
          [
            'settings:settingsSessions',
            [
              'SECURITY_MAX_IDLE_TIME',
              'SECURITY_MAX_SESSION_TIME',
              'SECURITY_WATERMARK_ENABLED',
              'SECURITY_SESSION_SHARE',
              'SECURITY_LUNA_REMEMBER_AUTH',
              'SECURITY_COMMAND_EXECUTION',
              'SECURITY_SERVICE_ACCOUNT_REGISTRATION',
            ],
          ],
          [
            'settings:settingsLogin',
            [
              'SECURITY_MFA_AUTH',
              'SECURITY_MFA_IN_LOGIN_PAGE',
              'SECURITY_MFA_BY_EMAIL',
              'SECURITY_LOGIN_CHALLENGE_ENABLED',
              'SECURITY_LOGIN_CAPTCHA_ENABLED',
              'USER_LOGIN_SINGLE_MACHINE_ENABLED',
              'ONLY_ALLOW_EXIST_USER_AUTH',
              'SECURITY_CHECK_DIFFERENT_CITY_LOGIN',
              'AUTH_TEMP_TOKEN',
              'SECURITY_MFA_VERIFY_TTL',
              'VERIFY_CODE_TTL',
            ],
          ],
          [
            'settings:settingsLimits',
            [
              'SECURITY_LOGIN_LIMIT_COUNT',
              'SECURITY_LOGIN_LIMIT_TIME',
              'SECURITY_LOGIN_IP_LIMIT_COUNT',
              'SECURITY_LOGIN_IP_LIMIT_TIME',
              'SECURITY_LOGIN_IP_WHITE_LIST',
              'SECURITY_LOGIN_IP_BLACK_LIST',
            ],
          ],
          [
            'settings:settingsPasswords',
            [...passwordRuleNames, 'OLD_PASSWORD_HISTORY_LIMIT_COUNT', 'SECURITY_PASSWORD_EXPIRATION_TIME'],
          ],
        ]}
        fields={besidePassword}
        onSaved={() => void refreshSettings()}
      />
    </Page>
  )
}
