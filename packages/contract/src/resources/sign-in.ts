import { answer, onList, service } from '../resource/calls.ts'
import { text } from '../resource/field.ts'

/** A code that is sent, and where it goes. */
const sending = {
  access: 'public',
  body: { type: text({ max: 32, required: true }), username: text({ max: 128 }) },
  answer: answer.object({ type: text() }),
  status: 201,
  records: { unrecorded: 'A code is sent to its person; the sign-in it is for is recorded.' },
} as const
/** A code that is looked at; components say whose address it comes from. */
const verifying = {
  access: 'public',
  body: {
    code: text({ max: 128, required: true }),
    type: text({ max: 32 }),
    remote_addr: text({ max: 64 }),
    login_type: text({ max: 1 }),
  },
  answer: answer.json<{ msg: 'ok' }>(),
  records: { unrecorded: 'Wrong codes are in the login log; a right one is, with the sign-in it ends in.' },
} as const
const typed = { code: text({ max: 128, required: true }) }

/** What an authenticator app is given: as text, and as the address of its QR code. */
export interface OtpOffer {
  /** Base32. */
  secret: string
  /** `otpauth://totp/…` */
  uri: string
}
export interface RecoveryCodes {
  /** Each is good once, in the place of a code; shown this one time. */
  recovery_codes: string[]
}
export interface OtpState {
  is_bound: boolean
  /** A sign-in asks for it. */
  is_enabled: boolean
  is_forced: boolean
  recovery_codes_left: number
}

/**
 * Second factors: while signing in, by whoever has proven the first; and of those who are signed in, their own. A code
 * of the type `otp` is one of the app, or a recovery code.
 */
export const Mfa = service({
  app: 'authentication',
  model: 'mfa',
  path: 'authentication/mfa',
  calls: {
    select: onList({ ...sending, method: 'POST', path: 'select' }),
    sendCode: onList({ ...sending, method: 'POST', path: 'send-code' }),
    challenge: onList({ ...verifying, method: 'POST', path: 'challenge' }),
    verify: onList({ ...verifying, method: 'POST', path: 'verify' }),
    otp: onList({ method: 'GET', path: 'otp', access: 'valid_user', answer: answer.json<OtpState>() }),
    /** For whoever is signed in and has just confirmed who they are, or cannot go on signing in without it. */
    startOtp: onList({
      method: 'POST',
      path: 'otp/start',
      access: 'public',
      answer: answer.json<OtpOffer>(),
      records: { unrecorded: 'Nothing is asked for before the app has shown a code.' },
    }),
    bindOtp: onList({
      method: 'POST',
      path: 'otp/bind',
      access: 'public',
      body: typed,
      answer: answer.json<RecoveryCodes>(),
      records: 'changes',
    }),
    disableOtp: onList({
      method: 'POST',
      path: 'otp/disable',
      access: 'valid_user',
      body: typed,
      records: 'changes',
    }),
    /** Those given before are good no more. */
    renewRecoveryCodes: onList({
      method: 'POST',
      path: 'otp/recovery-codes',
      access: 'valid_user',
      confirm: 'mfa',
      answer: answer.json<RecoveryCodes>(),
      records: 'changes',
    }),
  },
})

/** What a sign-in that was begun still needs, as every door is told it. */
export interface SignInOwed {
  error: 'mfa_required' | 'mfa_unset' | 'login_confirm_wait'
  msg: string
  data: {
    choices?: string[]
    url?: string
    /** That waits to be decided. */
    ticket_id?: string
  }
}

/** What the page of signing in shows first, and after a reload. */
export interface SignInState {
  owed: SignInOwed | null
  /** Asked for together with name and password: a code to append to it, one of a second factor, or a captcha. */
  beside: 'challenge' | 'mfa' | 'captcha' | null
  forgotten_needs_captcha: boolean
}

export const SignIn = service({
  app: 'authentication',
  model: 'signin',
  path: 'authentication/sign-in',
  calls: {
    state: onList({
      method: 'GET',
      path: '',
      access: 'public',
      answer: answer.json<SignInState>(),
    }),
  },
})

/** What became of a login that has to be confirmed. */
export type LoginConfirmState =
  | { msg: 'ok' }
  | {
      error: 'login_confirm_wait' | 'login_confirm_error'
      msg: string
      data: { ticket_id?: string; username?: string }
    }

/** For whoever waits: a browser, a program, a gateway in the middle of a login. */
export const LoginConfirmTicket = service({
  app: 'authentication',
  model: 'loginconfirmticket',
  path: 'authentication/login-confirm-ticket',
  calls: {
    status: onList({
      method: 'GET',
      path: 'status',
      access: 'public',
      answer: answer.json<LoginConfirmState>(),
    }),
    /** The login is given up, and its ticket closed. */
    cancel: onList({
      method: 'DELETE',
      path: 'status',
      access: 'public',
      answer: answer.json<''>(),
      records: { unrecorded: 'A login that was not finished is given up; its ticket says so.' },
    }),
  },
})
