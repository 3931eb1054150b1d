import { lazy, Suspense } from 'react'
import { CodeForm } from './code-form.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { Frame } from './frame.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { type SignInState, useSignIn } from './use-sign-in.ts'
import { WaitForm } from './wait-form.tsx'
import { useSignInText } from './text.ts'

const SetupForm = lazy(() => import('./setup-form.tsx'))

const titles = {
  mfa_required: 'mfaTitle',
  mfa_unset: 'mfaSetupTitle',
  login_confirm_wait: 'waitTitle',
} as const

/** Name and password, then whatever the server asks for, and what it says to it. */
export function SignInPage() {
  const t = useSignInText()
  const state = useSignIn()
  const { asked } = state
  const title = t(
    asked.is === 'owed'
      ? titles[asked.owed.error]
      : asked.is === 'newPassword'
        ? 'newPasswordTitle'
        : 'signIn',
  )

  return (
    <Frame title={title} isFirst={asked.is === 'credentials'}>
      <Step state={state} />
    </Frame>
  )
}

/** The form of what is asked for. */
function Step({
  state: { asked, beside, error, goOn, isBusy, startOver, submit, submitCode, submitPasskey, username },
}: {
  state: SignInState
}) {
  if (asked.is === 'credentials')
    return (
      <CredentialsForm
        givenUsername={username}
        beside={beside}
        error={error}
        isBusy={isBusy}
        onSubmit={(credentials) => void submit(credentials)}
        onPasskey={() => void submitPasskey()}
      />
    )
  if (asked.is === 'newPassword')
    return (
      <NewPasswordForm
        username={asked.credentials.username}
        demand={asked.demand}
        // A captcha is good once; what else was asked for is still there.
        captchaRound={beside.kind === 'captcha' ? beside.round : undefined}
        error={error}
        isBusy={isBusy}
        onSubmit={(newPassword, captcha) =>
          void submit({
            ...asked.credentials,
            newPassword,
            beside: { ...asked.credentials.beside, ...captcha },
          })
        }
        onBack={() => startOver()}
      />
    )
  const { error: owed, data } = asked.owed
  if (owed === 'mfa_required')
    return (
      <CodeForm
        error={error}
        isBusy={isBusy}
        choices={data.choices ?? ['otp']}
        onSubmit={(kind, code) => void submitCode(kind, code)}
        onPasskey={() => void submitPasskey()}
        onBack={() => startOver()}
      />
    )
  if (owed === 'login_confirm_wait')
    return <WaitForm onConfirmed={goOn} onRefused={startOver} onCancel={() => startOver()} />
  return (
    <Suspense>
      <SetupForm onDone={goOn} />
    </Suspense>
  )
}
