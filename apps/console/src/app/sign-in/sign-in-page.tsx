import { languages } from '@sallyport/contract/messages/language'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, languageNames, switchLanguage } from '../../i18n/index.ts'
import { api } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import type { InterfaceSettings, OpenSettings } from '../../kit/session/types.ts'
import { safeNext } from '../addresses.ts'
import { Logo } from '../shell/logo.tsx'
import { applyInterface, interfaceTitle } from '../theme/interface.ts'
import styles from './sign-in.module.css'
import { refusalText, signIn } from './submit.ts'

const usernameLimit = 100
const passwordLimit = 1024

type Field = 'username' | 'password'

/** Name and password, and what the server says to them. */
export function SignInPage() {
  const { t } = useTranslation()
  const appearance = useAppearance()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState('')
  const [missing, setMissing] = useState<Field>()
  const [isPasswordShown, setPasswordShown] = useState(false)
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const autoLogin = useRef<HTMLInputElement>(null)
  const id = useId()
  const title = t('signIn')

  const productTitle = appearance?.login_title || interfaceTitle()
  useEffect(() => {
    document.title = `${title} - ${productTitle}`
  }, [title, productTitle])

  const fields = { username, password }
  const refuse = (field: Field, text: string) => {
    setMissing(field)
    setError(text)
    fields[field].current?.focus()
  }

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isBusy) return
    const credentials = {
      username: username.current?.value ?? '',
      password: password.current?.value ?? '',
      autoLogin: autoLogin.current?.checked ?? false,
    }
    if (!credentials.username.trim()) return refuse('username', t('usernameRequired'))
    if (!credentials.password) return refuse('password', t('passwordRequired'))
    setMissing(undefined)
    setError('')
    setBusy(true)
    try {
      const wanted = safeNext(new URLSearchParams(location.search).get('next'))
      location.replace(safeNext((await signIn(credentials, wanted)) ?? wanted))
    } catch (failure) {
      const isUnreachable = failure instanceof ApiError && failure.status === 0
      setError(refusalText(failure) ?? t(isUnreachable ? 'signInUnreachable' : 'signInFailed'))
      setBusy(false)
      password.current?.select()
    }
  }

  return (
    <div className={styles.page}>
      <main className={styles.card}>
        <div className={styles.logo}>
          <Logo image={appearance?.logo_logout ?? ''} />
        </div>
        <h1 className={styles.title}>{appearance?.login_title || title}</h1>
        <form noValidate onSubmit={(event) => void submit(event)} aria-busy={isBusy}>
          <div className={styles.error} role="alert" id={`${id}-error`}>
            {error && <p>{error}</p>}
          </div>
          <label className={styles.label} htmlFor={`${id}-username`}>
            {t('username')}
          </label>
          <input
            ref={username}
            className={styles.input}
            id={`${id}-username`}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
            maxLength={usernameLimit}
            aria-invalid={missing === 'username'}
            aria-describedby={`${id}-error`}
          />
          <label className={styles.label} htmlFor={`${id}-password`}>
            {t('password')}
          </label>
          <div className={styles.password}>
            <input
              ref={password}
              className={styles.input}
              id={`${id}-password`}
              name="password"
              type={isPasswordShown ? 'text' : 'password'}
              autoComplete="current-password"
              required
              maxLength={passwordLimit}
              aria-invalid={missing === 'password'}
              aria-describedby={`${id}-error`}
            />
            <button
              type="button"
              className={styles.reveal}
              aria-pressed={isPasswordShown}
              aria-label={t(isPasswordShown ? 'hidePassword' : 'showPassword')}
              title={t(isPasswordShown ? 'hidePassword' : 'showPassword')}
              onClick={() => setPasswordShown(!isPasswordShown)}
            >
              <Eye crossed={isPasswordShown} />
            </button>
          </div>
          <label className={styles.tick}>
            <input ref={autoLogin} type="checkbox" name="auto_login" />
            {t('autoLogin')}
          </label>
          <button type="submit" className={styles.submit} aria-disabled={isBusy}>
            {t(isBusy ? 'signingIn' : 'signIn')}
          </button>
        </form>
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
        const settings = await api.get<OpenSettings>('settings/public/open/', { signal: leaving.signal })
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

function Eye({ crossed }: { crossed: boolean }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      aria-hidden
    >
      <path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12z" strokeLinejoin="round" />
      <circle cx="12" cy="12" r="3" />
      {crossed && <path d="M4 20 20 4" strokeLinecap="round" />}
    </svg>
  )
}
