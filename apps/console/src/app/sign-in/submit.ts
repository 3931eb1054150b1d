import { signInPages } from '@sallyport/contract/addresses'
import { Passkeys } from '@sallyport/contract/resources/passkeys'
import {
  type LoginConfirmState,
  LoginConfirmTicket,
  SignIn,
  type SignInOwed,
} from '@sallyport/contract/resources/sign-in'
import { requestOf } from '@sallyport/contract/resource/calls'
import { call } from '../../kit/api/call.ts'
import { api } from '../../kit/api/client.ts'
import { csrfToken } from '../../kit/api/cookies.ts'
import { sealSecret } from '../../kit/secrets/secrets.ts'
import type { BesideAnswer } from './beside-field.tsx'

export interface Credentials {
  username: string
  password: string
  autoLogin: boolean
  /** What was asked for together with them. */
  beside?: BesideAnswer
  /** Replaces a password that must be changed. */
  newPassword?: string
}

/** In, with the address to go on to, which the caller must still judge; or what is asked for first. */
export type SignInAnswer = { next?: string; error?: undefined } | SignInOwed

/**
 * Signs in. Rejects with ApiError; `refusalText` and `passwordDemand` read the server's reason from it.
 */
export async function signIn(credentials: Credentials, next: string): Promise<SignInAnswer> {
  // The page may have stood open longer than the token and the key that came with it.
  if (csrfToken() === undefined) await api.raw(signInPages.signIn)
  const { username, password, newPassword, autoLogin, beside } = credentials
  return await api.post<SignInAnswer>(
    signInPages.signIn,
    {
      username: username.trim(),
      password: await sealSecret(password),
      ...(newPassword !== undefined && { new_password: await sealSecret(newPassword) }),
      auto_login: autoLogin,
      ...beside,
    },
    { query: { next } },
  )
}

/** Goes on with the code of a second factor. */
export const answerCode = (type: string, code: string, next: string): Promise<SignInAnswer> =>
  api.post<SignInAnswer>(signInPages.secondFactor, { code, mfa_type: type }, { query: { next } })

/** A passkey in the place of name and password, or after them in the place of a code. Rejects with a DOMException when the person cancels. */
export async function signInByPasskey(next: string): Promise<SignInAnswer> {
  const [{ startAuthentication }, options] = await Promise.all([
    import('@simplewebauthn/browser'),
    call(Passkeys, 'startSignIn', {}),
  ])
  const credential = await startAuthentication({
    optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
  })
  if (csrfToken() === undefined) await api.raw(signInPages.signIn)
  return await api.post<SignInAnswer>(signInPages.passkey, { credential }, { query: { next } })
}

/** What the page has to ask for, and what a sign-in that was begun in this browser still needs. */
export const signInState = () => call(SignIn, 'state', {})

/** What became of a login that somebody has to confirm. */
export const confirmState = (signal: AbortSignal): Promise<LoginConfirmState> =>
  call(LoginConfirmTicket, 'status', {}, { signal })

/** The login is not wanted any more: nobody is to decide about it. */
export const giveUp = () => call(LoginConfirmTicket, 'cancel', {})

/** The same from a page that is being left, where nobody waits for an answer. */
export function giveUpLeaving(): void {
  const { path } = requestOf(LoginConfirmTicket, 'cancel', {})
  void fetch(path, { method: 'DELETE', keepalive: true, credentials: 'same-origin' }).catch(() => undefined)
}

/** Where the server decides what comes next. */
export const guardAddress = (next: string) => `${signInPages.guard}?next=${encodeURIComponent(next)}`
