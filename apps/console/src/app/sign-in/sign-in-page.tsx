import { languages } from '@sallyport/contract/messages/language'
import { OpenSettings } from '@sallyport/contract/resources/settings'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, languageNames, switchLanguage } from '../../i18n/index.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { readOne } from '../../kit/api/one.ts'
import type { InterfaceSettings } from '../../kit/session/types.ts'
import { Logo } from '../shell/logo.tsx'
import { applyInterface, interfaceTitle } from '../../kit/theme/interface.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import styles from './sign-in.module.css'
import { useSignIn } from './use-sign-in.ts'

/** Name and password, a new password where one is due, and what the server says to them. */
export function SignInPage() {
  const { t } = useTranslation()
  const appearance = useAppearance()
  const { asked, error, isBusy, startOver, submit, username } = useSignIn()
  const title = asked ? t('newPasswordTitle') : t('signIn')

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
        <h1 className={styles.title}>{asked ? title : appearance?.login_title || title}</h1>
        {asked ? (
          <NewPasswordForm
            username={asked.credentials.username}
            demand={asked.demand}
            error={error}
            isBusy={isBusy}
            onSubmit={(newPassword) => void submit({ ...asked.credentials, newPassword })}
            onBack={startOver}
          />
        ) : (
          <CredentialsForm
            givenUsername={username}
            error={error}
            isBusy={isBusy}
            onSubmit={(credentials) => void submit(credentials)}
          />
        )}
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
