import { brokenRules, maxPasswordLength } from '@sallyport/contract/password-rules'
import { useEffect, useId, useRef, useState } from 'react'
import { type BesideAnswer, besideIn } from './beside-field.tsx'
import { CaptchaField } from './captcha-field.tsx'
import { PasswordInput } from './password-input.tsx'
import { PasswordRuleList } from '../../kit/password/password-rule-list.tsx'
import type { PasswordDemand } from './refusals.ts'
import { SignInForm } from './sign-in-form.tsx'
import styles from './sign-in.module.css'
import { useSignInText } from './text.ts'

interface NewPasswordFormProps {
  username: string
  demand: PasswordDemand
  /** Which captcha it is that is asked for, where one is. */
  captchaRound: number | undefined
  /** The server's answer to the last try. */
  error: string
  isBusy: boolean
  onSubmit: (newPassword: string, captcha: BesideAnswer) => void
  onBack: () => void
}

/** A password that is no longer good is replaced while signing in. */
export function NewPasswordForm({
  username,
  demand,
  captchaRound,
  error,
  isBusy,
  onSubmit,
  onBack,
}: NewPasswordFormProps) {
  const t = useSignInText()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState('')
  const password = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const captchaBox = useRef<HTMLDivElement>(null)
  const [wrong, setWrong] = useState<'password' | 'again'>()
  const id = useId()
  const fields = { password, again }

  useEffect(() => {
    if (error && !isBusy) password.current?.select()
  }, [error, isBusy])

  const refuse = (field: 'password' | 'again', text: string) => {
    setWrong(field)
    setProblem(text)
    fields[field].current?.select()
  }
  const submit = () => {
    if (typed === '') return refuse('password', t('newPasswordRequired'))
    if (brokenRules(typed, demand.rules).length > 0) return refuse('password', t('passwordBreaksRules'))
    if (again.current?.value !== typed) return refuse('again', t('kit:passwordsDiffer'))
    setWrong(undefined)
    const captcha = besideIn(captchaBox.current)
    setProblem(captcha === undefined ? t('captchaRequired') : '')
    if (captcha !== undefined) onSubmit(typed, captcha)
  }

  return (
    <>
      <SignInForm
        id={id}
        hint={t(demand.reason === 'password_expired' ? 'newPasswordExpired' : 'newPasswordNeeded')}
        error={problem || error}
        isBusy={isBusy}
        action={t(isBusy ? 'signingIn' : 'changePasswordAndSignIn')}
        onSubmit={submit}
      >
        {/* For password managers: whose password this is. */}
        <input
          className={styles.unseen}
          name="username"
          autoComplete="username"
          value={username}
          readOnly
          tabIndex={-1}
          aria-hidden
        />
        <PasswordInput
          id={`${id}-password`}
          name="new_password"
          label={t('kit:newPassword')}
          input={password}
          autoComplete="new-password"
          maxLength={maxPasswordLength}
          isWrong={wrong === 'password' || (error !== '' && problem === '')}
          describedBy={`${id}-error ${id}-rules`}
          autoFocus
          onChange={setTyped}
        />
        <PasswordRuleList id={`${id}-rules`} rules={demand.rules} password={typed} />
        <PasswordInput
          id={`${id}-again`}
          name="new_password_again"
          label={t('kit:newPasswordAgain')}
          input={again}
          autoComplete="new-password"
          maxLength={maxPasswordLength}
          isWrong={wrong === 'again'}
          describedBy={`${id}-error`}
        />
        {captchaRound !== undefined && (
          <div ref={captchaBox} key={captchaRound}>
            <CaptchaField id={`${id}-captcha`} errorId={`${id}-error`} />
          </div>
        )}
      </SignInForm>
      <button type="button" className={styles.back} onClick={onBack}>
        {t('signInAsOther')}
      </button>
    </>
  )
}
