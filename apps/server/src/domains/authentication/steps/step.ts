/**
 * The steps of signing in. Who has proven a password, a key or the like goes through all of them, in this order, at every door: each says
 * that it is done with, what it needs first, or why not. They are gone through again whenever something was answered, so that what holds
 * at the end decides, and nothing is remembered but the answers themselves.
 */
import type { ErrorKey, Params, PasswordRules, SignInOwed } from '@sallyport/contract'
import type { Context } from '../../../kernel/context.ts'
import type { Secrets } from '../../../kernel/secrets/index.ts'
import type { LoginRule } from '../../acls/index.ts'
import type { Directory } from '../../directory/index.ts'
import type { Notifications } from '../../notifications/index.ts'
import type { Rbac } from '../../rbac/index.ts'
import type { Tickets } from '../../tickets/index.ts'
import type { Login } from '../events.ts'
import type { Known } from '../known.ts'

/** Where somebody comes in: the page, a program that asks for a token, a gateway. */
export type Door = 'page' | 'program' | 'gateway'

/** Where from, and how. */
export interface Way {
  door: Door
  type: Login['type']
  remoteAddr: string
  userAgent: string
  /** The gateway it goes through. */
  componentId: string | undefined
  /** Of the page: stays signed in when the browser is closed. */
  autoLogin: boolean
}

/** How somebody has proven who they are, as the login log calls it. */
export type ProvenBy = 'Password' | 'LDAP/AD' | 'SSH Key' | 'Temporary password' | 'Passkey'

/** Somebody on the way in. */
export interface Entering {
  person: Known
  provenBy: ProvenBy
  way: Way
  /** The second factor that was proven. */
  mfaType: string | undefined
  /** What was given at once with the password. */
  given: { newPassword?: string | undefined; code?: string | undefined; mfaType?: string | undefined }
  /** The hash of the password that replaces one that must be changed; put into force with the sign-in. */
  newPasswordHash: string | undefined
  /** The login rule that decides about it, where it does not just let in. */
  rule: LoginRule | undefined
  /** The ticket by which others are asked to confirm it. */
  ticketId: string | undefined
}

export interface Passed {
  is: 'passed'
  /** What is known from now on. */
  now?: Partial<Pick<Entering, 'mfaType' | 'newPasswordHash' | 'rule'>>
}
/** Only the answer to this leads on. */
export interface Owed {
  is: 'owed'
  error: SignInOwed['error']
  reason: ErrorKey
  choices?: string[]
  ticketId?: string
}
export interface Refused {
  is: 'refused'
  error: string
  reason: ErrorKey
  params?: Params
  /** What a new password must be like, where one is asked for. */
  passwordRules?: PasswordRules
}
export type Decision = Passed | Owed | Refused

export interface StepParts {
  secrets: Secrets
  rbac: Rbac
  notifications: Pick<Notifications, 'send' | 'codes'>
  tickets: Tickets
  directory: Directory
}
/** @param ctx not in a transaction */
export type Step = (ctx: Context, parts: StepParts, entering: Entering) => Promise<Decision>

export const passed: Passed = { is: 'passed' }
