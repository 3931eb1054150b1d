import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './sign-in.module.css'

interface CodeFormProps {
  /** The server's answer to the last try. */
  error: string
  isBusy: boolean
  /** The kinds of second factor there are. */
  choices: readonly string[]
  onSubmit: (code: string) => void
  onPasskey: () => void
  onBack: () => void
}

/** The code of the authenticator app, or one of those for the day it is lost. */
export function CodeForm(props: CodeFormProps) {
  const { t } = useTranslation()
  const { choices, error, onBack, onPasskey } = props
  const isPasskey = choices.includes('passkey')
  return (
    <>
      {choices.includes('otp') ? (
        <OtpForm {...props} />
      ) : (
        <div className={styles.error} role="alert">
          {error && <p>{error}</p>}
        </div>
      )}
      {isPasskey && (
        <button type="button" className={styles.back} onClick={onPasskey}>
          {t('passkeySignIn')}
        </button>
      )}
      <button type="button" className={styles.back} onClick={onBack}>
        {t('signInAsOther')}
      </button>
    </>
  )
}

function OtpForm({ error, isBusy, onSubmit }: Pick<CodeFormProps, 'error' | 'isBusy' | 'onSubmit'>) {
  const { t } = useTranslation()
  const [isRecovery, setRecovery] = useState(false)
  const [problem, setProblem] = useState('')
  const code = useRef<HTMLInputElement>(null)
  const id = useId()

  useEffect(() => {
    if (error && !isBusy) code.current?.select()
  }, [error, isBusy])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const typed = code.current?.value.trim() ?? ''
    setProblem(typed === '' ? t('mfaCodeRequired') : '')
    if (typed === '') code.current?.focus()
    else onSubmit(typed)
  }
  const toggle = () => {
    setRecovery(!isRecovery)
    setProblem('')
    if (code.current !== null) code.current.value = ''
    code.current?.focus()
  }
  const text = problem || error

  return (
    <form noValidate onSubmit={submit} aria-busy={isBusy}>
      <p className={styles.why} id={`${id}-hint`}>
        {t(isRecovery ? 'mfaRecoveryHint' : 'mfaHint')}
      </p>
      <div className={styles.error} role="alert" id={`${id}-error`}>
        {text && <p>{text}</p>}
      </div>
      <label className={styles.label} htmlFor={`${id}-code`}>
        {t(isRecovery ? 'mfaRecoveryCode' : 'mfaCode')}
      </label>
      <input
        ref={code}
        className={styles.input}
        id={`${id}-code`}
        name="code"
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        maxLength={isRecovery ? 32 : 8}
        aria-invalid={text !== ''}
        aria-describedby={`${id}-hint ${id}-error`}
      />
      <button type="submit" className={styles.submit} aria-disabled={isBusy}>
        {t(isBusy ? 'signingIn' : 'mfaCheck')}
      </button>
      <button type="button" className={styles.back} onClick={toggle}>
        {t(isRecovery ? 'mfaUseApp' : 'mfaUseRecovery')}
      </button>
    </form>
  )
}
