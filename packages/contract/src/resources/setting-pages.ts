/**
 * The settings by their categories, each a resource of one row (settings.md). Clients of the compatible system tell them apart by a
 * parameter of one address, `settings/setting/?category=email`; without it they mean the first.
 */
import { type Access, answer, onList, service } from '../resource/calls.ts'
import { type Field, type FieldOptions, text } from '../resource/field.ts'
import type { RowOf } from '../resource/resource.ts'
import { singleton } from '../resource/singleton.ts'
import {
  passwordRuleNames,
  type SecretSettingName,
  secretSettings,
  type SettingCategory,
  type SettingName,
  settings,
  type SettingValues,
} from '../settings.ts'

type Offered<N extends SettingName, S extends SecretSettingName> = {
  [K in N]: Field<SettingValues[K], SettingValues[K], FieldOptions, SettingValues[K], SettingValues[K]>
} & { [K in S]: (typeof secretSettings)[K]['field'] }

/** What of a category is offered for change, in the order of the wire. */
const page = <const N extends SettingName, const S extends SecretSettingName = never>(
  category: SettingCategory,
  update: Access,
  names: readonly (N | S)[],
  more: { licensed?: true } = {},
) =>
  singleton({
    app: 'settings',
    model: `${category}settings`.replace('_', ''),
    path: `settings/setting/${category}`,
    alias: `settings/setting/?category=${category}`,
    access: { read: update, update },
    ...more,
    fields: Object.fromEntries(
      names.map((name) => [
        name,
        ({ ...settings, ...secretSettings } as Record<string, { field: Field }>)[name]?.field,
      ]),
    ) as Offered<N, S>,
  })

export const BasicSettings = page('basic', 'settings.view_setting', [
  'SITE_URL',
  'USER_GUIDE_URL',
  'FORGOT_PASSWORD_URL',
  'GLOBAL_ORG_DISPLAY_NAME',
  'ANNOUNCEMENT_ENABLED',
  'ANNOUNCEMENT',
  'TICKETS_ENABLED',
])

export const SecuritySettings = page('security', 'settings.change_security', [
  'SECURITY_INSECURE_COMMAND',
  'SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER',
  'SECURITY_COMMAND_EXECUTION',
  'SECURITY_SERVICE_ACCOUNT_REGISTRATION',
  'SECURITY_MAX_IDLE_TIME',
  'SECURITY_MAX_SESSION_TIME',
  'SECURITY_WATERMARK_ENABLED',
  'SECURITY_SESSION_SHARE',
  'SECURITY_CHECK_DIFFERENT_CITY_LOGIN',
  'SECURITY_LUNA_REMEMBER_AUTH',
  'SECURITY_MFA_AUTH',
  'SECURITY_MFA_IN_LOGIN_PAGE',
  'SECURITY_MFA_BY_EMAIL',
  'SECURITY_LOGIN_CHALLENGE_ENABLED',
  'SECURITY_LOGIN_CAPTCHA_ENABLED',
  'SECURITY_PASSWORD_EXPIRATION_TIME',
  'VERIFY_CODE_TTL',
  'SECURITY_MFA_VERIFY_TTL',
  'SECURITY_LOGIN_LIMIT_COUNT',
  'SECURITY_LOGIN_LIMIT_TIME',
  'SECURITY_LOGIN_IP_LIMIT_COUNT',
  'SECURITY_LOGIN_IP_LIMIT_TIME',
  'SECURITY_LOGIN_IP_WHITE_LIST',
  'SECURITY_LOGIN_IP_BLACK_LIST',
  'USER_LOGIN_SINGLE_MACHINE_ENABLED',
  'ONLY_ALLOW_EXIST_USER_AUTH',
  'AUTH_TEMP_TOKEN',
  ...passwordRuleNames,
  'OLD_PASSWORD_HISTORY_LIMIT_COUNT',
])

export const EmailSettings = page<
  | 'EMAIL_HOST'
  | 'EMAIL_PORT'
  | 'EMAIL_HOST_USER'
  | 'EMAIL_FROM'
  | 'EMAIL_RECIPIENT'
  | 'EMAIL_SUBJECT_PREFIX'
  | 'EMAIL_USE_SSL'
  | 'EMAIL_USE_TLS',
  'EMAIL_HOST_PASSWORD'
>('email', 'settings.change_email', [
  'EMAIL_HOST',
  'EMAIL_PORT',
  'EMAIL_HOST_USER',
  'EMAIL_HOST_PASSWORD',
  'EMAIL_FROM',
  'EMAIL_RECIPIENT',
  'EMAIL_USE_SSL',
  'EMAIL_USE_TLS',
  'EMAIL_SUBJECT_PREFIX',
])
export type EmailSettings = RowOf<typeof EmailSettings>

/** What somebody new is written. */
export const EmailContentSettings = page('email_content', 'settings.change_email', [
  'EMAIL_CUSTOM_USER_CREATED_SUBJECT',
  'EMAIL_CUSTOM_USER_CREATED_HONORIFIC',
  'EMAIL_CUSTOM_USER_CREATED_BODY',
  'EMAIL_CUSTOM_USER_CREATED_SIGNATURE',
])

/** The directory that answers for people of the source `ldap`. */
export const LdapSettings = page<
  | 'AUTH_LDAP_SERVER_URI'
  | 'AUTH_LDAP_START_TLS'
  | 'AUTH_LDAP_BIND_DN'
  | 'AUTH_LDAP_SEARCH_OU'
  | 'AUTH_LDAP_SEARCH_FILTER'
  | 'AUTH_LDAP_USER_ATTR_MAP'
  | 'AUTH_LDAP_SYNC_ORG_ID'
  | 'AUTH_LDAP_CONNECT_TIMEOUT'
  | 'AUTH_LDAP_SEARCH_PAGED_SIZE'
  | 'AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS'
  | 'AUTH_LDAP',
  'AUTH_LDAP_BIND_PASSWORD'
>('ldap', 'settings.change_auth', [
  'AUTH_LDAP_SERVER_URI',
  'AUTH_LDAP_START_TLS',
  'AUTH_LDAP_BIND_DN',
  'AUTH_LDAP_BIND_PASSWORD',
  'AUTH_LDAP_SEARCH_OU',
  'AUTH_LDAP_SEARCH_FILTER',
  'AUTH_LDAP_USER_ATTR_MAP',
  'AUTH_LDAP_SYNC_ORG_ID',
  'AUTH_LDAP_CONNECT_TIMEOUT',
  'AUTH_LDAP_SEARCH_PAGED_SIZE',
  'AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS',
  'AUTH_LDAP',
])
export type LdapSettings = RowOf<typeof LdapSettings>

const changeSms = 'settings.change_sms'
const licensed = { licensed: true } as const
/** Whether codes go by SMS, and by which of the ways below. */
export const SmsSettings = page('sms', changeSms, ['SMS_ENABLED', 'SMS_BACKEND'], licensed)
export const AlibabaSettings = page<
  'ALIBABA_ACCESS_KEY_ID' | 'ALIBABA_VERIFY_SIGN_NAME' | 'ALIBABA_VERIFY_TEMPLATE_CODE' | 'SMS_TEST_PHONE',
  'ALIBABA_ACCESS_KEY_SECRET'
>(
  'alibaba',
  changeSms,
  [
    'ALIBABA_ACCESS_KEY_ID',
    'ALIBABA_ACCESS_KEY_SECRET',
    'ALIBABA_VERIFY_SIGN_NAME',
    'ALIBABA_VERIFY_TEMPLATE_CODE',
    'SMS_TEST_PHONE',
  ],
  licensed,
)
export const TencentSettings = page<
  | 'TENCENT_SECRET_ID'
  | 'TENCENT_SDKAPPID'
  | 'TENCENT_VERIFY_SIGN_NAME'
  | 'TENCENT_VERIFY_TEMPLATE_CODE'
  | 'SMS_TEST_PHONE',
  'TENCENT_SECRET_KEY'
>(
  'tencent',
  changeSms,
  [
    'TENCENT_SECRET_ID',
    'TENCENT_SECRET_KEY',
    'TENCENT_SDKAPPID',
    'TENCENT_VERIFY_SIGN_NAME',
    'TENCENT_VERIFY_TEMPLATE_CODE',
    'SMS_TEST_PHONE',
  ],
  licensed,
)
export const HuaweiSettings = page<
  | 'HUAWEI_APP_KEY'
  | 'HUAWEI_SMS_ENDPOINT'
  | 'HUAWEI_SIGN_CHANNEL_NUM'
  | 'HUAWEI_VERIFY_SIGN_NAME'
  | 'HUAWEI_VERIFY_TEMPLATE_CODE'
  | 'SMS_TEST_PHONE',
  'HUAWEI_APP_SECRET'
>(
  'huawei',
  changeSms,
  [
    'HUAWEI_APP_KEY',
    'HUAWEI_APP_SECRET',
    'HUAWEI_SMS_ENDPOINT',
    'HUAWEI_SIGN_CHANNEL_NUM',
    'HUAWEI_VERIFY_SIGN_NAME',
    'HUAWEI_VERIFY_TEMPLATE_CODE',
    'SMS_TEST_PHONE',
  ],
  licensed,
)
export const Cmpp2Settings = page<
  | 'CMPP2_HOST'
  | 'CMPP2_PORT'
  | 'CMPP2_SP_ID'
  | 'CMPP2_SRC_ID'
  | 'CMPP2_SERVICE_ID'
  | 'CMPP2_VERIFY_SIGN_NAME'
  | 'CMPP2_VERIFY_TEMPLATE_CODE'
  | 'SMS_TEST_PHONE',
  'CMPP2_SP_SECRET'
>(
  'cmpp2',
  changeSms,
  [
    'CMPP2_HOST',
    'CMPP2_PORT',
    'CMPP2_SP_ID',
    'CMPP2_SP_SECRET',
    'CMPP2_SRC_ID',
    'CMPP2_SERVICE_ID',
    'CMPP2_VERIFY_SIGN_NAME',
    'CMPP2_VERIFY_TEMPLATE_CODE',
    'SMS_TEST_PHONE',
  ],
  licensed,
)
export const smsPages = {
  alibaba: AlibabaSettings,
  tencent: TencentSettings,
  huawei: HuaweiSettings,
  cmpp2: Cmpp2Settings,
} as const

/** Days that each kind of record is kept. */
export const CleanSettings = page('clean', 'settings.change_clean', [
  'LOGIN_LOG_KEEP_DAYS',
  'TASK_LOG_KEEP_DAYS',
  'OPERATE_LOG_KEEP_DAYS',
  'FTP_LOG_KEEP_DAYS',
  'CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS',
  'TERMINAL_SESSION_KEEP_DURATION',
  'ACTIVITY_LOG_KEEP_DAYS',
])

const mailAddress = () => text({ max: 128, nullable: true, pattern: 'email' })
/** Tries the mail server that is stored. */
export const MailServer = service({
  app: 'settings',
  model: 'mailserver',
  path: 'settings/mail',
  calls: {
    test: onList({
      method: 'POST',
      path: 'testing',
      access: 'settings.change_email',
      body: { EMAIL_FROM: mailAddress(), EMAIL_RECIPIENT: mailAddress() },
      answer: answer.object({ msg: text() }),
      reads: true,
    }),
  },
})
