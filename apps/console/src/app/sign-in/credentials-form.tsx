import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { forgottenAddress } from '../addresses.ts'
import { PasswordInput } from './password-input.tsx'
import styles from './sign-in.module.css'
import { type Credentials, hasPasskeys } from './submit.ts'

const usernameLimit = 128
const passwordLimit = 1024

type Field = 'username' | 'password'

interface CredentialsFormProps {
  /** What the name begins with. */
  givenUsername: string
  /** The server's answer to the last try. */
  error: string
  isBusy: boolean
  onSubmit: (credentials: Credentials) => void
  onPasskey: () => void
}

/** Name and password. */
export function CredentialsForm({ givenUsername, error, isBusy, onSubmit, onPasskey }: CredentialsFormProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState('')
  const [missing, setMissing] = useState<Field>()
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const autoLogin = useRef<HTMLInputElement>(null)
  const id = useId()
  const fields = { username, password }

  useEffect(() => {
    if (error && !isBusy) password.current?.select()
  }, [error, isBusy])

  const refuse = (field: Field, text: string) => {
    setMissing(field)
    setProblem(text)
    fields[field].current?.focus()
  }
  const submit = (event: FormEvent) => {
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
    setProblem('')
    onSubmit(credentials)
  }
  const text = problem || error

  return (
    <form noValidate onSubmit={submit} aria-busy={isBusy}>
      <div className={styles.error} role="alert" id={`${id}-error`}>
        {text && <p>{text}</p>}
      </div>
      <label className={styles.label} htmlFor={`${id}-username`}>
        {t('username')}
      </label>
      <input
        ref={username}
        className={styles.input}
        id={`${id}-username`}
        name="username"
        defaultValue={givenUsername}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        maxLength={usernameLimit}
        aria-invalid={missing === 'username'}
        aria-describedby={`${id}-error`}
      />
      <PasswordInput
        id={`${id}-password`}
        name="password"
        label={t('password')}
        input={password}
        autoComplete="current-password"
        maxLength={passwordLimit}
        isWrong={missing === 'password'}
        describedBy={`${id}-error`}
      />
      <label className={styles.tick}>
        <input ref={autoLogin} type="checkbox" name="auto_login" />
        {t('autoLogin')}
      </label>
      <button type="submit" className={styles.submit} aria-disabled={isBusy}>
        {t(isBusy ? 'signingIn' : 'signIn')}
      </button>
      {hasPasskeys() && (
        <button type="button" className={styles.back} onClick={onPasskey}>
          {t('passkeySignIn')}
        </button>
      )}
      <a className={styles.back} href={forgottenAddress}>
        {t('forgotPassword')}
      </a>
    </form>
  )
}
