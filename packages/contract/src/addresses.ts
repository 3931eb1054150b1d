/** Addresses no declaration covers, as the server serves and clients ask them; why is told in `apps/server/src/routes-by-hand.md`. */

/** The pages of signing in and out, and of a forgotten password, with what they send. */
export const signInPages = {
  signIn: '/core/auth/login/',
  secondFactor: '/core/auth/login/mfa/',
  passkey: '/core/auth/login/passkey/',
  /** Leads to what a sign-in that was begun still needs. */
  guard: '/core/auth/login/guard/',
  signOut: '/core/auth/logout/',
  /** Leads to the page for it, which may be of another site. */
  beginForgotten: '/core/auth/password/forget/previewing/',
  forgotten: '/core/auth/password/forgot/',
  resetPassword: '/core/auth/password/reset/',
  newCaptcha: '/core/auth/captcha/refresh/',
} as const

/** Where the other programs' page is, outside of the console's own addresses. */
export const downloadsPage = '/core/download/'

/** A sign-in without a page: of programs, and of people at a gateway. */
export const tokensPath = '/api/v1/authentication/tokens/'
export const resetCodePath = '/api/v1/authentication/password/reset-code/'
/** Of all lists: what somebody ticked, for a token. */
export const selectionPath = '/api/v1/common/resources/cache/'
/** Of a list, below its path with the last slash: the rows of a file. */
export const readFilePath = (list: string) => `${list}render-to-json/`

/** Of a session, below its address: its recording as a file. */
export const replayFilePath = (session: string) => `${session}replay/download/`

export const siteMessagesSocketPath = '/ws/notifications/site-msg/'
export const taskLogSocketPath = '/ws/ops/tasks/log/'
