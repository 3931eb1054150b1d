/**
 * Everything an administrator can set, declared once: its category, how it is written and what it is when nobody set it. Stored values
 * override the defaults at once in every process (settings.md).
 */
import { choices } from './resource/choices.ts'
import {
  boolean,
  type Field,
  integer,
  json,
  list,
  object,
  plainChoice,
  secret,
  text,
} from './resource/field.ts'

/** By whom texts are sent: services of three vendors, and the protocol of China Mobile's gateways. */
export const smsBackends = choices('sms_backend', ['alibaba', 'tencent', 'huawei', 'cmpp2'])
export type SmsBackend = (typeof smsBackends.values)[number]
type SmsCategory = 'sms' | SmsBackend

export type SettingCategory =
  | 'basic'
  | 'terminal'
  | 'security'
  | 'auth'
  | 'ldap'
  | 'email'
  | 'email_content'
  | SmsCategory
  | 'clean'
  | 'other'
  | 'internal'

export interface Setting<T = unknown> {
  category: SettingCategory
  field: Field
  default: T
}

const setting = <R, W>(category: SettingCategory, field: Field<R, W>, initial: NoInfer<R>): Setting<R> => ({
  category,
  field,
  default: initial,
})

const basic = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('basic', field, initial)
const terminal = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('terminal', field, initial)
const security = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('security', field, initial)
const clean = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('clean', field, initial)
const other = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('other', field, initial)
const auth = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('auth', field, initial)
const email = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('email', field, initial)
const ldap = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('ldap', field, initial)
const sms = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('sms', field, initial)
/** Of a way texts are sent by: empty until it is set, and nothing is sent without it. */
const smsNeeded = (category: SmsBackend, max = 256, help?: string) =>
  setting(category, text({ max, required: true, ...(help && { help }) }), '')
const emailContent = (max: number) => setting('email_content', text({ max }), '')
/** Fixed by the program; not offered in any form. */
const internal = <R, W>(field: Field<R, W>, initial: NoInfer<R>) => setting('internal', field, initial)

/** Clients may say with null that there is none; it is kept as the empty text. */
const orNone = (field: Field<string | null, string | null>) =>
  field as unknown as Field<string, string | null>
const url = () => orNone(text({ max: 1024, pattern: 'url', nullable: true }))
/** What is told to everybody who is logged in; the id is another with every change. */
const announcement = {
  ID: text({ max: 36, readOnly: true }),
  SUBJECT: text({ max: 1024 }),
  CONTENT: text({ max: 8192, multiline: true }),
  LINK: url(),
}
const interfaceFields = {
  login_title: text(),
  theme: text(),
  logo_index: text(),
  logo_logout: text(),
  favicon: text(),
  login_image: text(),
}
const days = () => integer({ min: 1, max: 9999, required: true })

export const settings = {
  SITE_URL: basic(text({ max: 1024, pattern: 'url', required: true }), 'http://127.0.0.1'),
  USER_GUIDE_URL: basic(url(), ''),
  FORGOT_PASSWORD_URL: basic(url(), ''),
  GLOBAL_ORG_DISPLAY_NAME: basic(orNone(text({ max: 1024, nullable: true })), ''),
  ANNOUNCEMENT_ENABLED: basic(boolean(), true),
  ANNOUNCEMENT: basic(object(announcement), { ID: '', SUBJECT: '', CONTENT: '', LINK: '' }),
  TICKETS_ENABLED: basic(boolean(), true),

  TERMINAL_PASSWORD_AUTH: terminal(boolean(), true),
  TERMINAL_PUBLIC_KEY_AUTH: terminal(boolean(), true),
  TERMINAL_ASSET_LIST_SORT_BY: terminal(plainChoice(choices('asset_list_sort', ['name', 'ip'])), 'name'),
  TERMINAL_ASSET_LIST_PAGE_SIZE: terminal(
    plainChoice(choices('asset_list_page_size', ['all', 'auto', '10', '15', '25', '50'])),
    'auto',
  ),
  /** Sessions at one time of one person on one gateway, and connections by SSH. */
  TERMINAL_MAX_SESSIONS_PER_USER: terminal(integer({ min: 1, max: 99_999, required: true }), 50),
  /** Keep what is sent into a command (`ssh host command < file`, a password typed to sudo), not its size and hash alone. */
  TERMINAL_RECORD_EXEC_INPUT: terminal(boolean(), false),
  TERMINAL_TELNET_REGEX: terminal(text({ max: 1024 }), ''),
  TERMINAL_MAGNUS_ENABLED: terminal(boolean(), true),
  TERMINAL_RAZOR_ENABLED: terminal(boolean(), true),
  TERMINAL_KOKO_SSH_ENABLED: terminal(boolean(), true),
  TERMINAL_GRAPHICAL_RESOLUTION: terminal(
    plainChoice(choices('graphical_resolution', ['Auto', '1024x768', '1366x768', '1600x900', '1920x1080'])),
    'Auto',
  ),
  TERMINAL_HEARTBEAT_INTERVAL: internal(integer(), 20),
  TERMINAL_OMNIDB_ENABLED: internal(boolean(), true),

  SECURITY_PASSWORD_MIN_LENGTH: security(integer({ min: 6, max: 30, required: true }), 6),
  SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: security(integer({ min: 6, max: 30, required: true }), 6),
  SECURITY_PASSWORD_UPPER_CASE: security(boolean(), false),
  SECURITY_PASSWORD_LOWER_CASE: security(boolean(), false),
  SECURITY_PASSWORD_NUMBER: security(boolean(), false),
  SECURITY_PASSWORD_SPECIAL_CHAR: security(boolean(), false),
  SECURITY_MFA_AUTH: security(plainChoice(choices('mfa_auth', [0, 1, 2])), 0),
  SECURITY_LOGIN_LIMIT_COUNT: security(integer({ min: 3, max: 99_999, required: true }), 7),
  SECURITY_LOGIN_LIMIT_TIME: security(integer({ min: 5, max: 99_999, required: true }), 30),
  SECURITY_LOGIN_IP_LIMIT_COUNT: security(integer({ min: 3, max: 99_999, required: true }), 99_999),
  SECURITY_LOGIN_IP_LIMIT_TIME: security(integer({ min: 5, max: 99_999, required: true }), 30),
  SECURITY_LOGIN_IP_WHITE_LIST: security(list({ max: 1024 }), []),
  SECURITY_LOGIN_IP_BLACK_LIST: security(list({ max: 1024 }), []),
  SECURITY_PASSWORD_EXPIRATION_TIME: security(integer({ min: 1, max: 99_999, required: true }), 9999),
  OLD_PASSWORD_HISTORY_LIMIT_COUNT: security(integer({ min: 0, max: 99_999, required: true }), 5),
  USER_LOGIN_SINGLE_MACHINE_ENABLED: security(boolean(), false),
  /** Nobody is made a user by signing in, whoever answers for them. */
  ONLY_ALLOW_EXIST_USER_AUTH: security(boolean(), false),
  /** The code is asked for beside the password; only where everybody needs one. */
  SECURITY_MFA_IN_LOGIN_PAGE: security(boolean(), false),
  /** A code by e-mail is a second factor, too. */
  SECURITY_MFA_BY_EMAIL: security(boolean(), false),
  /** A second text that is appended to the password. */
  SECURITY_LOGIN_CHALLENGE_ENABLED: security(boolean(), false),
  SECURITY_LOGIN_CAPTCHA_ENABLED: security(boolean(), true),
  SECURITY_MFA_VERIFY_TTL: security(integer({ min: 5, max: 36_000, required: true }), 3600),
  /** Seconds a code by e-mail or SMS is good for, and until another is sent. */
  VERIFY_CODE_TTL: security(integer({ min: 5, max: 36_000, required: true }), 60),
  SECURITY_SERVICE_ACCOUNT_REGISTRATION: security(boolean(), true),
  SECURITY_WATERMARK_ENABLED: security(boolean(), true),
  SECURITY_MAX_IDLE_TIME: security(integer({ min: 1, max: 99_999 }), 30),
  /** Hours; 0 means without limit. */
  SECURITY_MAX_SESSION_TIME: security(integer({ min: 0, max: 99_999 }), 24),
  SECURITY_LUNA_REMEMBER_AUTH: security(boolean(), true),
  /** People with these mail addresses (commas between them) are told of dangerous commands, subscribed or not. */
  SECURITY_INSECURE_COMMAND: security(boolean(), false),
  SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER: security(text({ max: 8192 }), ''),
  /** The risk from which a command is dangerous. */
  SECURITY_INSECURE_COMMAND_LEVEL: internal(integer(), 5),
  SECURITY_COMMAND_EXECUTION: security(boolean(), true),
  SECURITY_SESSION_SHARE: security(boolean(), true),
  /** Tell people of sign-ins from networks they never signed in from. */
  SECURITY_CHECK_DIFFERENT_CITY_LOGIN: security(boolean(), true),
  SECURITY_VIEW_AUTH_NEED_MFA: internal(boolean(), true),

  AUTH_WECOM: auth(boolean(), false),
  AUTH_DINGTALK: auth(boolean(), false),
  AUTH_FEISHU: auth(boolean(), false),
  AUTH_TEMP_TOKEN: auth(boolean(), false),

  AUTH_LDAP_SERVER_URI: ldap(
    text({ max: 1024, required: true, help: 'AUTH_LDAP_SERVER_URI' }),
    'ldap://localhost:389',
  ),
  /** TLS begins on the plain connection, before anything else is said (ldap:// alone). */
  AUTH_LDAP_START_TLS: ldap(boolean({ help: 'AUTH_LDAP_START_TLS' }), false),
  /** Who searches; empty: nobody in particular. */
  AUTH_LDAP_BIND_DN: ldap(text({ max: 1024 }), 'cn=admin,dc=example,dc=com'),
  /** Where people are searched, several separated by `|`. */
  AUTH_LDAP_SEARCH_OU: ldap(text({ max: 1024, help: 'AUTH_LDAP_SEARCH_OU' }), 'ou=people,dc=example,dc=com'),
  AUTH_LDAP_SEARCH_FILTER: ldap(
    text({ max: 1024, required: true, help: 'AUTH_LDAP_SEARCH_FILTER' }),
    '(cn=%(user)s)',
  ),
  /** What of a person is which attribute there. */
  AUTH_LDAP_USER_ATTR_MAP: ldap(
    json<Readonly<Record<string, string>>>({ required: true, help: 'AUTH_LDAP_USER_ATTR_MAP' }),
    { username: 'cn', name: 'sn', email: 'mail' },
  ),
  AUTH_LDAP_SYNC_ORG_ID: ldap(
    text({ max: 36, help: 'AUTH_LDAP_SYNC_ORG_ID' }),
    '00000000-0000-0000-0000-000000000002',
  ),
  /** Seconds. */
  AUTH_LDAP_CONNECT_TIMEOUT: ldap(integer({ min: 1, max: 300 }), 10),
  AUTH_LDAP_SEARCH_PAGED_SIZE: ldap(integer({ min: 1, max: 100_000 }), 1000),
  /** People of the directory that are unknown here are not let in. */
  AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: ldap(boolean({ help: 'AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS' }), false),
  AUTH_LDAP: ldap(boolean(), false),

  /** Null until they are set: without a server and an account no mail is sent. */
  EMAIL_HOST: email(text({ max: 1024, required: true, nullable: true }), null),
  EMAIL_PORT: email(text({ max: 5, required: true, nullable: true }), null),
  EMAIL_HOST_USER: email(text({ max: 128, required: true, nullable: true }), null),
  /** The account, where it is empty. */
  EMAIL_FROM: email(text({ max: 128, nullable: true, pattern: 'email', help: 'EMAIL_FROM' }), null),
  /** Of the test alone. */
  EMAIL_RECIPIENT: email(text({ max: 128, nullable: true, pattern: 'email', help: 'EMAIL_RECIPIENT' }), null),
  /** TLS from the first byte (usually port 465). */
  EMAIL_USE_SSL: email(boolean({ nullable: true, help: 'EMAIL_USE_SSL' }), null),
  /** STARTTLS, and nothing without it (usually port 587). */
  EMAIL_USE_TLS: email(boolean({ nullable: true, help: 'EMAIL_USE_TLS' }), null),
  EMAIL_SUBJECT_PREFIX: email(
    text({ max: 1024, required: true, nullable: true, help: 'EMAIL_SUBJECT_PREFIX' }),
    null,
  ),

  /** Empty: what is usual, in the language of whom it is for. */
  EMAIL_CUSTOM_USER_CREATED_SUBJECT: emailContent(1024),
  EMAIL_CUSTOM_USER_CREATED_HONORIFIC: emailContent(1024),
  EMAIL_CUSTOM_USER_CREATED_BODY: setting(
    'email_content',
    text({ max: 4096, multiline: true, help: 'EMAIL_CUSTOM_USER_CREATED_BODY' }),
    '',
  ),
  EMAIL_CUSTOM_USER_CREATED_SIGNATURE: emailContent(512),

  /** Codes by SMS are a second factor of whoever has a phone. */
  SMS_ENABLED: sms(boolean(), false),
  SMS_BACKEND: sms(plainChoice(smsBackends), 'alibaba'),
  /** Of the tests alone. */
  SMS_TEST_PHONE: sms(text({ max: 256, help: 'SMS_TEST_PHONE' }), ''),

  ALIBABA_ACCESS_KEY_ID: smsNeeded('alibaba'),
  ALIBABA_VERIFY_SIGN_NAME: smsNeeded('alibaba'),
  ALIBABA_VERIFY_TEMPLATE_CODE: smsNeeded('alibaba', 256, 'ALIBABA_VERIFY_TEMPLATE_CODE'),

  TENCENT_SECRET_ID: smsNeeded('tencent'),
  TENCENT_SDKAPPID: smsNeeded('tencent'),
  TENCENT_VERIFY_SIGN_NAME: smsNeeded('tencent'),
  TENCENT_VERIFY_TEMPLATE_CODE: smsNeeded('tencent', 256, 'SMS_TEMPLATE_OF_ONE'),

  HUAWEI_APP_KEY: smsNeeded('huawei'),
  HUAWEI_SMS_ENDPOINT: smsNeeded('huawei', 1024, 'HUAWEI_SMS_ENDPOINT'),
  HUAWEI_SIGN_CHANNEL_NUM: smsNeeded('huawei', 1024),
  HUAWEI_VERIFY_SIGN_NAME: smsNeeded('huawei'),
  HUAWEI_VERIFY_TEMPLATE_CODE: smsNeeded('huawei', 256, 'SMS_TEMPLATE_OF_ONE'),

  CMPP2_HOST: smsNeeded('cmpp2', 256, 'CMPP2_HOST'),
  CMPP2_PORT: setting('cmpp2', integer({ min: 1, max: 65_535 }), 7890),
  CMPP2_SP_ID: smsNeeded('cmpp2', 128),
  CMPP2_SRC_ID: setting('cmpp2', text({ max: 256 }), ''),
  CMPP2_SERVICE_ID: smsNeeded('cmpp2'),
  CMPP2_VERIFY_SIGN_NAME: smsNeeded('cmpp2'),
  CMPP2_VERIFY_TEMPLATE_CODE: setting(
    'cmpp2',
    text({ max: 69, required: true, help: 'CMPP2_VERIFY_TEMPLATE_CODE' }),
    '{code}',
  ),

  LOGIN_LOG_KEEP_DAYS: clean(days(), 200),
  OPERATE_LOG_KEEP_DAYS: clean(days(), 200),
  ACTIVITY_LOG_KEEP_DAYS: clean(days(), 200),
  TASK_LOG_KEEP_DAYS: clean(days(), 90),
  /** Kept for clients of the compatible system until there are such records. */
  FTP_LOG_KEEP_DAYS: clean(days(), 200),
  CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS: clean(days(), 30),
  TERMINAL_SESSION_KEEP_DURATION: clean(integer({ min: 1, max: 99_999, required: true }), 200),

  EMAIL_SUFFIX: other(text({ max: 1024 }), 'example.com'),
  /** Whose codes these are, as authenticator apps show it. */
  OTP_ISSUER_NAME: other(text({ max: 16 }), 'Sallyport'),
  /** Steps of 30 seconds that a code may be early or late. */
  OTP_VALID_WINDOW: other(integer({ min: 1, max: 10, required: true }), 2),
  PERM_SINGLE_ASSET_TO_UNGROUP_NODE: other(boolean(), false),
  TICKET_AUTHORIZE_DEFAULT_TIME: other(integer({ min: 1, max: 999_999 }), 7),
  TICKET_AUTHORIZE_DEFAULT_TIME_UNIT: other(plainChoice(choices('ticket_time_unit', ['day', 'hour'])), 'day'),
  HELP_DOCUMENT_URL: other(url(), ''),
  HELP_SUPPORT_URL: other(url(), ''),

  /** What pages look like; empty where it is our own. Pictures by the names of their files. */
  INTERFACE: internal(object(interfaceFields), {
    login_title: '',
    theme: 'classic_green',
    logo_index: '',
    logo_logout: '',
    favicon: '',
    login_image: '',
  }),
  /** A licence file that was imported; `test` for the built-in one, empty for none. */
  LICENSE_FILE: internal(text(), 'test'),
  WINDOWS_SKIP_ALL_MANUAL_PASSWORD: internal(boolean(), false),
  /** Seconds a Bearer token lives after its last use. */
  TOKEN_EXPIRATION: internal(integer(), 86_400),
  SESSION_COOKIE_AGE: internal(integer(), 86_400),
  SESSION_EXPIRE_AT_BROWSER_CLOSE_FORCE: internal(boolean(), false),
  CONNECTION_TOKEN_EXPIRATION: internal(integer({ min: 300 }), 300),
  DEFAULT_EXPIRED_YEARS: internal(integer(), 70),
}

export type SettingName = keyof typeof settings
export type SettingValues = { [K in SettingName]: (typeof settings)[K] extends Setting<infer T> ? T : never }
export const defaultSettings = Object.fromEntries(
  Object.entries(settings).map(([name, { default: value }]) => [name, value]),
) as unknown as SettingValues

/** Settings that are kept sealed and never shown; an empty one that is sent changes nothing. */
export const secretSettings = {
  EMAIL_HOST_PASSWORD: {
    category: 'email',
    field: secret({ max: 1024, nullable: true, help: 'EMAIL_HOST_PASSWORD' }),
  },
  ALIBABA_ACCESS_KEY_SECRET: { category: 'alibaba', field: secret({ max: 1024, nullable: true }) },
  TENCENT_SECRET_KEY: { category: 'tencent', field: secret({ max: 1024, nullable: true }) },
  HUAWEI_APP_SECRET: { category: 'huawei', field: secret({ max: 1024, nullable: true }) },
  CMPP2_SP_SECRET: { category: 'cmpp2', field: secret({ max: 1024, nullable: true }) },
  AUTH_LDAP_BIND_PASSWORD: { category: 'ldap', field: secret({ max: 1024, nullable: true }) },
} as const
export type SecretSettingName = keyof typeof secretSettings

/** What everybody signed in may know (auth.md section 10). */
export const publicSettingNames = [
  'WINDOWS_SKIP_ALL_MANUAL_PASSWORD',
  'OLD_PASSWORD_HISTORY_LIMIT_COUNT',
  'TICKET_AUTHORIZE_DEFAULT_TIME',
  'TICKET_AUTHORIZE_DEFAULT_TIME_UNIT',
  'AUTH_LDAP_SYNC_ORG_ID',
  'SECURITY_MAX_IDLE_TIME',
  'SECURITY_VIEW_AUTH_NEED_MFA',
  'SECURITY_MFA_VERIFY_TTL',
  'SECURITY_COMMAND_EXECUTION',
  'SECURITY_PASSWORD_EXPIRATION_TIME',
  'SECURITY_LUNA_REMEMBER_AUTH',
  'SECURITY_WATERMARK_ENABLED',
  'SECURITY_SESSION_SHARE',
  'HELP_DOCUMENT_URL',
  'HELP_SUPPORT_URL',
  'AUTH_WECOM',
  'AUTH_DINGTALK',
  'AUTH_FEISHU',
  'AUTH_TEMP_TOKEN',
  'TERMINAL_RAZOR_ENABLED',
  'TERMINAL_MAGNUS_ENABLED',
  'TERMINAL_KOKO_SSH_ENABLED',
  'TERMINAL_OMNIDB_ENABLED',
  'TERMINAL_GRAPHICAL_RESOLUTION',
  'ANNOUNCEMENT_ENABLED',
  'ANNOUNCEMENT',
  'TICKETS_ENABLED',
] as const satisfies readonly SettingName[]

export const passwordRuleNames = [
  'SECURITY_PASSWORD_MIN_LENGTH',
  'SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH',
  'SECURITY_PASSWORD_UPPER_CASE',
  'SECURITY_PASSWORD_LOWER_CASE',
  'SECURITY_PASSWORD_NUMBER',
  'SECURITY_PASSWORD_SPECIAL_CHAR',
] as const satisfies readonly SettingName[]
