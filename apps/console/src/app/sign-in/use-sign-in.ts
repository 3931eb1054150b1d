import type { SignInOwed } from '@sallyport/contract/resources/sign-in'
import { useEffect, useState } from 'react'
import { ApiError, isRecord } from '../../kit/api/errors.ts'
import type { Beside } from './beside-field.tsx'
import { safeNext } from '../addresses.ts'
import { passwordDemand, type PasswordDemand, refusalText } from './refusals.ts'
import {
  answerCode,
  type Credentials,
  guardAddress,
  signIn,
  signInByPasskey,
  type SignInAnswer,
  signInState,
} from './submit.ts'
import { useSignInText } from './text.ts'

/** What the page asks for. */
export type Asked =
  | { is: 'credentials' }
  | { is: 'newPassword'; credentials: Credentials; demand: PasswordDemand }
  | { is: 'owed'; owed: SignInOwed }

/** Signing in: name and password first, then what the server asks for. The page is left when the server lets in. */
export interface SignInState {
  isBusy: boolean
  /** The name given last. */
  username: string
  /** What the server said to the last try. */
  error: string
  asked: Asked
  /** What is asked for together with name and password, and how often that was looked up: each time it is asked for anew. */
  beside: { kind: Beside; round: number }
  submit: (credentials: Credentials) => Promise<void>
  submitCode: (type: string, code: string) => Promise<void>
  submitPasskey: () => Promise<void>
  /** What was asked for is done: the server says what comes next. */
  goOn: () => void
  /** Back to name and password; `reason`: why. */
  startOver: (reason?: string) => void
}

const first: Asked = { is: 'credentials' }

export function useSignIn(): SignInState {
  const t = useSignInText()
  const [isBusy, setBusy] = useState(false)
  const [username, setUsername] = useState('')
  const [error, setError] = useState('')
  const [asked, setAsked] = useState<Asked>(first)
  const [beside, setBeside] = useState<SignInState['beside']>({ kind: null, round: 0 })

  useEffect(() => {
    const load = async () => {
      try {
        const { owed, beside: kind } = await signInState()
        setBeside({ kind, round: 1 })
        // Somebody who reloads in the middle goes on from there.
        if (owed !== null && /\/login\/.+/u.test(location.pathname)) setAsked({ is: 'owed', owed })
      } catch {
        // Name and password can be given without; the server says what it misses.
      }
    }
    void load()
  }, [])
  const look = async () => {
    try {
      const { beside: kind } = await signInState()
      setBeside(({ round }) => ({ kind, round: round + 1 }))
    } catch {
      // What was asked for before is asked for again.
    }
  }

  const wanted = () => safeNext(new URLSearchParams(location.search).get('next'))
  const attempt = async (
    work: (next: string) => Promise<SignInAnswer>,
    failed: (failure: unknown) => void | Promise<void>,
  ) => {
    setError('')
    setBusy(true)
    try {
      const answer = await work(wanted())
      if (answer.error === undefined) return location.replace(safeNext(answer.next ?? wanted()))
      setAsked({ is: 'owed', owed: answer })
    } catch (failure) {
      await failed(failure)
    }
    setBusy(false)
  }
  const say = (failure: unknown) => {
    const isUnreachable = failure instanceof ApiError && failure.status === 0
    setError(refusalText(failure) ?? t(isUnreachable ? 'signInUnreachable' : 'signInFailed'))
    return isUnreachable
  }

  const submit = async (credentials: Credentials) => {
    setUsername(credentials.username)
    await attempt(
      (next) => signIn(credentials, next),
      async (failure) => {
        await look()
        const demand = passwordDemand(failure)
        if (demand !== undefined && credentials.newPassword === undefined)
          return setAsked({ is: 'newPassword', credentials, demand })
        // Refused for another reason than the new password: the server wants name and password again.
        if (!say(failure) && demand === undefined && !isCaptchaProblem(failure)) setAsked(first)
      },
    )
  }
  const submitCode = (type: string, code: string) =>
    attempt(
      (next) => answerCode(type, code, next),
      (failure) => {
        say(failure)
        // Too late, or refused for good.
        if (!isCodeProblem(failure)) setAsked(first)
      },
    )
  const submitPasskey = () =>
    attempt(signInByPasskey, (failure) => {
      // Cancelled, or taking too long, is told by the browser itself.
      if (failure instanceof ApiError) say(failure)
      else setError(t('passkeyNotUsed'))
    })
  const startOver = (reason = '') => {
    setAsked(first)
    setError(reason)
  }
  const goOn = () => location.replace(guardAddress(wanted()))
  return { isBusy, username, error, asked, beside, submit, submitCode, submitPasskey, goOn, startOver }
}

const errorOf = (failure: unknown) =>
  failure instanceof ApiError && isRecord(failure.body) ? failure.body['error'] : undefined
const isCaptchaProblem = (failure: unknown) => errorOf(failure) === 'captcha_failed'

/** Whether another code may be tried. */
function isCodeProblem(failure: unknown): boolean {
  if (!(failure instanceof ApiError)) return false
  return failure.status === 0 || failure.status >= 500 || errorOf(failure) === 'mfa_failed'
}
