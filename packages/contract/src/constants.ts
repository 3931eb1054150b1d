/** Organizations that always exist. */
export const rootOrgId = '00000000-0000-0000-0000-000000000000'
export const defaultOrgId = '00000000-0000-0000-0000-000000000002'
export const systemOrgId = '00000000-0000-0000-0000-000000000004'

/** Compatible names of cookies and headers, declared once. */
export const cookiePrefix = 'jms_'
export const cookies = {
  session: `${cookiePrefix}sessionid`,
  /** Of somebody who has proven a part and is asked for the rest: no session, and good for nothing else. */
  pendingSignIn: `${cookiePrefix}sign_in`,
  csrf: `${cookiePrefix}csrftoken`,
  publicKey: `${cookiePrefix}public_key`,
  sessionExpire: `${cookiePrefix}session_expire`,
  prefix: 'SESSION_COOKIE_NAME_PREFIX',
  org: 'X-JMS-ORG',
  language: 'django_language',
} as const
export const headers = {
  org: 'x-jms-org',
  timeZone: 'x-tz',
  csrf: 'x-csrftoken',
  loginType: 'x-jms-login-type',
} as const

/** The platform's own pictures, where nobody set others: files of the console (`apps/console/public`). */
export const ownPictures = {
  logo_logout: '/ui/img/logo.svg',
  logo_index: '/ui/img/logo-white.svg',
  login_image: '/ui/img/sign-in.svg',
  favicon: '/ui/favicon.svg',
} as const

export const maxPageSize = 100
/** A file that is imported, in bytes: 30 MB. */
export const maxImportBytes = 30 << 20
/** Longest list answered without `limit`. */
export const selectionTtlSeconds = 300

/** Characters of why somebody's session is ended. */
export const terminationReasonMax = 512
