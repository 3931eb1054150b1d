import { languages } from '@sallyport/contract/messages/language'
import { OpenSettings } from '@sallyport/contract/resources/settings'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, languageNames, switchLanguage } from '../../i18n/index.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { readOne } from '../../kit/api/one.ts'
import type { InterfaceSettings } from '../../kit/session/types.ts'
import { Logo } from '../shell/logo.tsx'
import { applyInterface, interfaceTitle } from '../../kit/theme/interface.ts'
import { CodeForm } from './code-form.tsx'
import { CredentialsForm } from './credentials-form.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import styles from './sign-in.module.css'
import { type SignInState, useSignIn } from './use-sign-in.ts'

const SetupForm = lazy(() => import('./setup-form.tsx'))

const titles = {
  mfa_required: 'mfaTitle',
  mfa_unset: 'mfaSetupTitle',
  login_confirm_wait: 'waitTitle',
} as const

/** Name and password, then whatever the server asks for, and what it says to it. */
export function SignInPage() {
  const { t } = useTranslation()
  const appearance = useAppearance()
  const state = useSignIn()
  const { asked } = state
  const title = t(
    asked.is === 'owed'
      ? titles[asked.owed.error]
      : asked.is === 'newPassword'
        ? 'newPasswordTitle'
        : 'signIn',
  )

  const productTitle = appearance?.login_title || interfaceTitle()
  useEffect(() => {
    document.title = `${title} - ${productTitle}`
  }, [title, productTitle])

  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <div className={styles.logo}>
          <Logo image={appearance?.logo_logout ?? ''} />
        </div>
        <h1 className={styles.title}>
          {asked.is === 'credentials' ? appearance?.login_title || title : title}
        </h1>
        <Step state={state} />
      </main>
      <label className={styles.language}>
        <span>{t('language')}</span>
        <select
          value={currentLanguage()}
          onChange={(event) => {
            const chosen = languages.find((language) => language === event.target.value)
            if (chosen !== undefined) switchLanguage(chosen)
          }}
        >
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {languageNames[language]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

/** The form of what is asked for. */
function Step({
  state: { asked, error, goOn, isBusy, startOver, submit, submitCode, username },
}: {
  state: SignInState
}) {
  if (asked.is === 'credentials')
    return (
      <CredentialsForm
        givenUsername={username}
        error={error}
        isBusy={isBusy}
        onSubmit={(credentials) => void submit(credentials)}
      />
    )
  if (asked.is === 'newPassword')
    return (
      <NewPasswordForm
        username={asked.credentials.username}
        demand={asked.demand}
        error={error}
        isBusy={isBusy}
        onSubmit={(newPassword) => void submit({ ...asked.credentials, newPassword })}
        onBack={startOver}
      />
    )
  const { error: owed, data } = asked.owed
  if (owed === 'mfa_required')
    return (
      <CodeForm
        error={error}
        isBusy={isBusy}
        onSubmit={(code) => void submitCode(data.choices?.[0] ?? 'otp', code)}
        onBack={startOver}
      />
    )
  return (
    <Suspense>
      <SetupForm onDone={goOn} />
    </Suspense>
  )
}

/** The platform's looks. Signing in works without them. */
function useAppearance(): InterfaceSettings | undefined {
  const [appearance, setAppearance] = useState<InterfaceSettings>()
  useEffect(() => {
    const leaving = new AbortController()
    const load = async () => {
      try {
        const settings = await readOne(OpenSettings, { signal: leaving.signal })
        applyInterface(settings.INTERFACE)
        setAppearance(settings.INTERFACE)
      } catch (error) {
        // Our own looks stay; that the server does not answer is said when signing in.
        if (!(error instanceof ApiError) && !leaving.signal.aborted) throw error
      }
    }
    void load()
    return () => leaving.abort()
  }, [])
  return appearance
}
