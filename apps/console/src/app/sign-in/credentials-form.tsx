import { useEffect, useId, useRef, useState } from 'react'
import { forgottenAddress } from '../addresses.ts'
import { BesideField, besideIn } from './beside-field.tsx'
import { PasswordInput } from './password-input.tsx'
import { SignInForm } from './sign-in-form.tsx'
import styles from './sign-in.module.css'
import { hasPasskeys } from '../../kit/session/passkeys.ts'
import type { Credentials } from './submit.ts'
import type { SignInState } from './use-sign-in.ts'
import { TextInput } from './text-input.tsx'
import { useSignInText } from './text.ts'

const usernameLimit = 128
const passwordLimit = 1024

type Field = 'username' | 'password'

interface CredentialsFormProps {
  /** What the name begins with. */
  givenUsername: string
  beside: SignInState['beside']
  /** The server's answer to the last try. */
  error: string
  isBusy: boolean
  onSubmit: (credentials: Credentials) => void
  onPasskey: () => void
}

/** Name and password. */
export function CredentialsForm({
  givenUsername,
  beside,
  error,
  isBusy,
  onSubmit,
  onPasskey,
}: CredentialsFormProps) {
  const t = useSignInText()
  const [problem, setProblem] = useState('')
  const [missing, setMissing] = useState<Field>()
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const autoLogin = useRef<HTMLInputElement>(null)
  const besideBox = useRef<HTMLDivElement>(null)
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
  const refuseCaptcha = () => {
    setMissing(undefined)
    setProblem(t('captchaRequired'))
    besideBox.current?.querySelector<HTMLInputElement>('input:not([type=hidden])')?.focus()
  }
  const submit = () => {
    const credentials = {
      username: username.current?.value ?? '',
      password: password.current?.value ?? '',
      autoLogin: autoLogin.current?.checked ?? false,
    }
    if (!credentials.username.trim()) return refuse('username', t('usernameRequired'))
    if (!credentials.password) return refuse('password', t('passwordRequired'))
    const answer = besideIn(besideBox.current)
    if (answer === undefined) return refuseCaptcha()
    setMissing(undefined)
    setProblem('')
    onSubmit({ ...credentials, beside: answer })
  }

  return (
    <>
      <SignInForm
        id={id}
        error={problem || error}
        isBusy={isBusy}
        action={t(isBusy ? 'signingIn' : 'signIn')}
        onSubmit={submit}
      >
        <TextInput
          ref={username}
          id={`${id}-username`}
          label={t('kit:username')}
          name="username"
          defaultValue={givenUsername}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
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
        <div ref={besideBox} key={beside.round}>
          <BesideField kind={beside.kind} id={`${id}-beside`} errorId={`${id}-error`} />
        </div>
        <label className={styles.tick}>
          <input ref={autoLogin} type="checkbox" name="auto_login" />
          {t('autoLogin')}
        </label>
      </SignInForm>
      {hasPasskeys() && (
        <button type="button" className={styles.back} onClick={onPasskey}>
          {t('passkeySignIn')}
        </button>
      )}
      <a className={styles.back} href={forgottenAddress}>
        {t('forgotPassword')}
      </a>
    </>
  )
}
