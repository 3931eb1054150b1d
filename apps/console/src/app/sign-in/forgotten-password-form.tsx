import { maxPasswordLength } from '@sallyport/contract/password-rules'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PasswordInput } from './password-input.tsx'
import styles from './sign-in.module.css'

interface ForgottenPasswordFormProps {
  error: string
  isBusy: boolean
  onSubmit: (password: string, again: string) => void
}

/** The new password, twice. The server says which rules it breaks. */
export function ForgottenPasswordForm({ error, isBusy, onSubmit }: ForgottenPasswordFormProps) {
  const { t } = useTranslation()
  const id = useId()
  const [problem, setProblem] = useState('')
  const password = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const [typed = '', repeated = ''] = [password.current?.value, again.current?.value]
    if (typed === '') return setProblem(t('newPasswordRequired'))
    if (typed !== repeated) return setProblem(t('passwordsDiffer'))
    setProblem('')
    onSubmit(typed, repeated)
  }
  const text = problem || error
  const common = {
    autoComplete: 'new-password' as const,
    maxLength: maxPasswordLength,
    describedBy: `${id}-error`,
  }
  return (
    <form noValidate onSubmit={submit} aria-busy={isBusy}>
      <div className={styles.error} role="alert" id={`${id}-error`}>
        {text && <p>{text}</p>}
      </div>
      <PasswordInput
        {...common}
        id={`${id}-password`}
        name="new_password"
        label={t('newPassword')}
        input={password}
        isWrong={text !== ''}
        autoFocus
      />
      <PasswordInput
        {...common}
        id={`${id}-again`}
        name="confirm_password"
        label={t('newPasswordAgain')}
        input={again}
        isWrong={text !== ''}
      />
      <button type="submit" className={styles.submit} aria-disabled={isBusy}>
        {t('setNewPassword')}
      </button>
    </form>
  )
}
