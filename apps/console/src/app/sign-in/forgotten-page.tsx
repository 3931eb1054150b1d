import { signInPages } from '@sallyport/contract/addresses'
import { useEffect, useState } from 'react'
import { ApiError, isRecord } from '../../kit/api/errors.ts'
import { signInAddress } from '../addresses.ts'
import type { BesideAnswer } from './beside-field.tsx'
import { askForCode, beginForgotten, type Mailbox, setPassword, showCode } from './forgotten.ts'
import { ForgottenCodeForm } from './forgotten-code-form.tsx'
import { ForgottenPasswordForm } from './forgotten-password-form.tsx'
import { Frame } from './frame.tsx'
import { MailboxForm } from './mailbox-form.tsx'
import { refusalText } from './refusals.ts'
import styles from './sign-in.module.css'
import { signInState } from './submit.ts'
import { useSignInText } from './text.ts'

type Step =
  | { is: 'mailbox' }
  | { is: 'code'; mailbox: Mailbox; token: string }
  | { is: 'password'; token: string }
  | { is: 'done' }

/** A link that was mailed leads to the last step. */
function firstStep(): Step {
  const token = new URLSearchParams(location.search).get('token')
  return location.pathname.includes('/reset') && token ? { is: 'password', token } : { is: 'mailbox' }
}

/** A forgotten password is replaced: who reads the mailbox of the account gets a code, and sets another. */
export function ForgottenPage() {
  const t = useSignInText()
  const [step, setStep] = useState(firstStep)
  const [error, setError] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [needsCaptcha, setNeedsCaptcha] = useState(false)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    // Without an answer the server says what it misses.
    signInState().then(
      (state) => setNeedsCaptcha(state.forgotten_needs_captcha),
      () => undefined,
    )
  }, [])
  const attempt = async (work: () => Promise<Step>) => {
    setError('')
    setBusy(true)
    try {
      setStep(await work())
    } catch (failure) {
      const isUnreachable = failure instanceof ApiError && failure.status === 0
      const known = problemOf(failure) ?? refusalText(failure)
      setError(known ?? t(isUnreachable ? 'signInUnreachable' : 'forgottenFailed'))
    }
    setTries((count) => count + 1)
    setBusy(false)
  }
  const ask = (mailbox: Mailbox, captcha: BesideAnswer) =>
    attempt(async () => {
      const token = await beginForgotten(mailbox.username, captcha)
      await askForCode(token, mailbox.email)
      return { is: 'code', mailbox, token }
    })
  const common = { error, isBusy }
  return (
    <Frame title={t(step.is === 'password' ? 'newPasswordTitle' : 'forgotPassword')}>
      {step.is === 'mailbox' && (
        <MailboxForm
          {...common}
          captchaRound={needsCaptcha ? tries : undefined}
          onSubmit={(mailbox, captcha) => void ask(mailbox, captcha)}
        />
      )}
      {step.is === 'code' && (
        <ForgottenCodeForm
          {...common}
          onSubmit={(code) =>
            void attempt(async () => ({
              is: 'password',
              token: await showCode(step.token, step.mailbox.email, code),
            }))
          }
          onAgain={() =>
            void attempt(async () => {
              await askForCode(step.token, step.mailbox.email)
              return step
            })
          }
        />
      )}
      {step.is === 'password' && (
        <ForgottenPasswordForm
          {...common}
          onSubmit={(password, again) =>
            void attempt(async () => {
              await setPassword(step.token, password, again)
              // The link is used up: whoever reloads begins anew.
              history.replaceState(null, '', signInPages.forgotten)
              return { is: 'done' }
            })
          }
        />
      )}
      {step.is === 'done' && (
        <p className={styles.why} role="status">
          {t('forgottenDone')}
        </p>
      )}
      <a className={styles.back} href={signInAddress('/')}>
        {t('backToSignIn')}
      </a>
    </Frame>
  )
}

/** What the server says of a password, by its field. */
function problemOf(failure: unknown): string | undefined {
  if (!(failure instanceof ApiError) || !isRecord(failure.body)) return undefined
  const { new_password: ofPassword, confirm_password: ofAgain } = failure.body
  const [first] = [ofPassword, ofAgain].flat().filter((text) => typeof text === 'string')
  return first
}
