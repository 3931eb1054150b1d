import type { SignInOwed } from '@sallyport/contract/resources/sign-in'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError, isRecord } from '../../kit/api/errors.ts'
import { safeNext } from '../addresses.ts'
import { passwordDemand, type PasswordDemand, refusalText } from './refusals.ts'
import {
  answerCode,
  type Credentials,
  guardAddress,
  owedHere,
  signIn,
  signInByPasskey,
  type SignInAnswer,
} from './submit.ts'

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
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [username, setUsername] = useState('')
  const [error, setError] = useState('')
  const [asked, setAsked] = useState<Asked>(first)

  useEffect(() => {
    // Somebody who reloads in the middle goes on from there.
    if (/\/login\/.+/u.test(location.pathname))
      void owedHere().then(
        (owed) => owed && setAsked({ is: 'owed', owed }),
        () => undefined,
      )
  }, [])

  const wanted = () => safeNext(new URLSearchParams(location.search).get('next'))
  const attempt = async (
    work: (next: string) => Promise<SignInAnswer>,
    failed: (failure: unknown) => void,
  ) => {
    setError('')
    setBusy(true)
    try {
      const answer = await work(wanted())
      if (answer.error === undefined) return location.replace(safeNext(answer.next ?? wanted()))
      setAsked({ is: 'owed', owed: answer })
    } catch (failure) {
      failed(failure)
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
      (failure) => {
        const demand = passwordDemand(failure)
        if (demand !== undefined && credentials.newPassword === undefined)
          return setAsked({ is: 'newPassword', credentials, demand })
        // Refused for another reason than the new password: the server wants name and password again.
        if (!say(failure) && demand === undefined) setAsked(first)
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
  return { isBusy, username, error, asked, submit, submitCode, submitPasskey, goOn, startOver }
}

/** Whether another code may be tried. */
function isCodeProblem(failure: unknown): boolean {
  if (!(failure instanceof ApiError)) return false
  const error = isRecord(failure.body) ? failure.body['error'] : undefined
  return failure.status === 0 || failure.status >= 500 || error === 'mfa_failed'
}
