import { Mfa } from '@sallyport/contract/resources/sign-in'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../kit/api/call.ts'
import { refusalText } from './refusals.ts'
import styles from './sign-in.module.css'

interface CodeFormProps {
  /** The server's answer to the last try. */
  error: string
  isBusy: boolean
  /** The kinds of second factor there are. */
  choices: readonly string[]
  onSubmit: (kind: string, code: string) => void
  onPasskey: () => void
  onBack: () => void
}

/** A second factor: the code of the authenticator app, one by e-mail, one for the day the phone is lost, or a passkey. */
export function CodeForm({ choices, error, isBusy, onSubmit, onPasskey, onBack }: CodeFormProps) {
  const { t } = useTranslation()
  const [kind, setKind] = useState(choices.includes('otp') ? 'otp' : undefined)
  const [problem, setProblem] = useState('')
  const sendMail = async () => {
    setProblem('')
    try {
      await call(Mfa, 'select', { body: { type: 'email' } })
    } catch (failure) {
      setProblem(refusalText(failure) ?? t('signInFailed'))
    }
    setKind('email')
  }
  return (
    <>
      {kind === undefined ? (
        <div className={styles.error} role="alert">
          {error && <p>{error}</p>}
        </div>
      ) : (
        <OtpForm
          key={kind}
          isMailed={kind === 'email'}
          error={problem || error}
          isBusy={isBusy}
          onSubmit={(code) => onSubmit(kind, code)}
        />
      )}
      {choices.includes('email') && (
        <button type="button" className={styles.back} onClick={() => void sendMail()}>
          {t('mfaSendMail')}
        </button>
      )}
      {choices.includes('passkey') && (
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

interface OtpFormProps extends Pick<CodeFormProps, 'error' | 'isBusy'> {
  isMailed: boolean
  onSubmit: (code: string) => void
}

function OtpForm({ isMailed, error, isBusy, onSubmit }: OtpFormProps) {
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
        {t(isRecovery ? 'mfaRecoveryHint' : isMailed ? 'mfaMailHint' : 'mfaHint')}
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
      {!isMailed && (
        <button type="button" className={styles.back} onClick={toggle}>
          {t(isRecovery ? 'mfaUseApp' : 'mfaUseRecovery')}
        </button>
      )}
    </form>
  )
}
