import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './sign-in.module.css'

/** Until another code may be asked for. */
const waitSeconds = 60

interface ForgottenCodeFormProps {
  error: string
  isBusy: boolean
  onSubmit: (code: string) => void
  onAgain: () => void
}

/** The code that was mailed, if there is such an account. */
export function ForgottenCodeForm({ error, isBusy, onSubmit, onAgain }: ForgottenCodeFormProps) {
  const { t } = useTranslation()
  const id = useId()
  const code = useRef<HTMLInputElement>(null)
  const [left, setLeft] = useState(waitSeconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = code.current?.value.trim() ?? ''
    if (!isBusy && typed !== '') onSubmit(typed)
  }
  return (
    <form noValidate onSubmit={submit} aria-busy={isBusy}>
      <p className={styles.why} id={`${id}-hint`}>
        {t('codeMailed')}
      </p>
      <div className={styles.error} role="alert" id={`${id}-error`}>
        {error && <p>{error}</p>}
      </div>
      <label className={styles.label} htmlFor={`${id}-code`}>
        {t('mailCode')}
      </label>
      <input
        ref={code}
        className={styles.input}
        id={`${id}-code`}
        name="code"
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        required
        maxLength={6}
        aria-invalid={error !== ''}
        aria-describedby={`${id}-hint ${id}-error`}
      />
      <button type="submit" className={styles.submit} aria-disabled={isBusy}>
        {t('mailCodeCheck')}
      </button>
      <button
        type="button"
        className={styles.back}
        disabled={left > 0 || isBusy}
        onClick={() => {
          setLeft(waitSeconds)
          onAgain()
        }}
      >
        {left > 0 ? t('sendCodeIn', { seconds: left }) : t('sendCodeAgain')}
      </button>
    </form>
  )
}
