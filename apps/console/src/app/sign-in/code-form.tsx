import { Mfa } from '@sallyport/contract/resources/sign-in'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../kit/api/call.ts'
import { hasPasskeys } from '../../kit/session/passkeys.ts'
import { FormError } from './form-error.tsx'
import { refusalText } from './refusals.ts'
import { SignInForm } from './sign-in-form.tsx'
import styles from './sign-in.module.css'
import { TextInput } from './text-input.tsx'

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
        <FormError>{error}</FormError>
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
      {choices.includes('passkey') &&
        (hasPasskeys() ? (
          <button type="button" className={styles.back} onClick={onPasskey}>
            {t('passkeySignIn')}
          </button>
        ) : (
          <p className={styles.hint}>{t('passkeyNeedsName')}</p>
        ))}
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

  const submit = () => {
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
    <>
      <SignInForm
        id={id}
        hint={t(isRecovery ? 'mfaRecoveryHint' : isMailed ? 'mfaMailHint' : 'mfaHint')}
        error={text}
        isBusy={isBusy}
        action={t(isBusy ? 'signingIn' : 'mfaCheck')}
        onSubmit={submit}
      >
        <TextInput
          ref={code}
          id={`${id}-code`}
          label={t(isRecovery ? 'mfaRecoveryCode' : 'mfaCode')}
          name="code"
          autoComplete="one-time-code"
          inputMode={isRecovery ? 'text' : 'numeric'}
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          maxLength={isRecovery ? 32 : 8}
          aria-invalid={text !== ''}
          aria-describedby={`${id}-hint ${id}-error`}
        />
      </SignInForm>
      {!isMailed && (
        <button type="button" className={styles.back} onClick={toggle}>
          {t(isRecovery ? 'mfaUseApp' : 'mfaUseRecovery')}
        </button>
      )}
    </>
  )
}
