import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../kit/api/errors.ts'
import { safeNext } from '../addresses.ts'
import { passwordDemand, type PasswordDemand, refusalText } from './refusals.ts'
import { type Credentials, signIn } from './submit.ts'

/** Signing in: name and password first, then perhaps a new password. The page is left when the server lets in. */
export interface SignInState {
  isBusy: boolean
  /** The name given last. */
  username: string
  /** What the server said to the last try. */
  error: string
  /** A new password is asked for, for these credentials. */
  asked: { credentials: Credentials; demand: PasswordDemand } | undefined
  submit: (credentials: Credentials) => Promise<void>
  /** Back to name and password. */
  startOver: () => void
}

export function useSignIn(): SignInState {
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const [username, setUsername] = useState('')
  const [error, setError] = useState('')
  const [asked, setAsked] = useState<SignInState['asked']>()

  const submit = async (credentials: Credentials) => {
    setUsername(credentials.username)
    setError('')
    setBusy(true)
    try {
      const wanted = safeNext(new URLSearchParams(location.search).get('next'))
      location.replace(safeNext((await signIn(credentials, wanted)) ?? wanted))
    } catch (failure) {
      const demand = passwordDemand(failure)
      const isFirstAsked = demand !== undefined && credentials.newPassword === undefined
      const isUnreachable = failure instanceof ApiError && failure.status === 0
      if (isFirstAsked) setAsked({ credentials, demand })
      // Refused for another reason than the new password: the server wants name and password again.
      else if (demand === undefined && !isUnreachable) setAsked(undefined)
      if (!isFirstAsked)
        setError(refusalText(failure) ?? t(isUnreachable ? 'signInUnreachable' : 'signInFailed'))
      setBusy(false)
    }
  }
  const startOver = () => {
    setAsked(undefined)
    setError('')
  }
  return { isBusy, username, error, asked, submit, startOver }
}
