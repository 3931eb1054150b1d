import { Mfa } from '@sallyport/contract/resources/sign-in'
import { useEffect, useId, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { resendAfterSeconds, useCountdown } from '../../kit/confirm/use-countdown.ts'
import { hasPasskeys } from '../../kit/session/passkeys.ts'
import { FormError } from './form-error.tsx'
import { refusalText } from './refusals.ts'
import { SignInForm } from './sign-in-form.tsx'
import styles from './sign-in.module.css'
import { TextInput } from './text-input.tsx'
import { useSignInText } from './text.ts'

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

/** Codes that are sent, not held: what their button says, and what is said beside the field. */
const sentKinds = {
  sms: { send: 'mfaSendSms', hint: 'mfaSmsHint' },
  email: { send: 'mfaSendMail', hint: 'mfaMailHint' },
} as const
type SentKind = keyof typeof sentKinds
const isSentKind = (kind: string): kind is SentKind => Object.hasOwn(sentKinds, kind)

/** A second factor: the code of the authenticator app, one by SMS or e-mail, one for the day the phone is lost, or a passkey. */
export function CodeForm({ choices, error, isBusy, onSubmit, onPasskey, onBack }: CodeFormProps) {
  const t = useSignInText()
  const [kind, setKind] = useState(choices.includes('otp') ? 'otp' : undefined)
  const [problem, setProblem] = useState('')
  return (
    <>
      {kind === undefined ? (
        <FormError>{error}</FormError>
      ) : (
        <OtpForm
          key={kind}
          sent={isSentKind(kind) ? kind : undefined}
          error={problem || error}
          isBusy={isBusy}
          onSubmit={(code) => {
            setProblem('')
            onSubmit(kind, code)
          }}
        />
      )}
      {kind !== undefined && kind !== 'otp' && choices.includes('otp') && (
        <button type="button" className={styles.back} onClick={() => setKind('otp')}>
          {t('mfaUseApp')}
        </button>
      )}
      {choices
        .filter((one) => isSentKind(one))
        .map((one) => (
          <SendCode key={one} kind={one} onProblem={setProblem} onAsked={() => setKind(one)} />
        ))}
      {choices.includes('passkey') &&
        (hasPasskeys() ? (
          <button type="button" className={styles.back} onClick={onPasskey}>
            {t('passkeySignIn')}
          </button>
        ) : (
          <p className={styles.hint}>{t('kit:passkeyNeedsName')}</p>
        ))}
      <button type="button" className={styles.back} onClick={onBack}>
        {t('signInAsOther')}
      </button>
    </>
  )
}

interface SendCodeProps {
  kind: SentKind
  onProblem: (problem: string) => void
  /** Sent now, or a moment ago already. */
  onAsked: () => void
}

function SendCode({ kind, onProblem, onAsked }: SendCodeProps) {
  const t = useSignInText()
  const [secondsLeft, countDown] = useCountdown()
  const [isSending, setSending] = useState(false)
  const send = async () => {
    onProblem('')
    setSending(true)
    try {
      await call(Mfa, 'select', { body: { type: kind } })
      countDown(resendAfterSeconds)
    } catch (failure) {
      onProblem(refusalText(failure) ?? t('signInFailed'))
    }
    setSending(false)
    onAsked()
  }
  return (
    <button
      type="button"
      className={styles.back}
      disabled={isSending || secondsLeft > 0}
      onClick={() => void send()}
    >
      {secondsLeft > 0 ? t('mfaSendAgain', { seconds: secondsLeft }) : t(sentKinds[kind].send)}
    </button>
  )
}

interface OtpFormProps extends Pick<CodeFormProps, 'error' | 'isBusy'> {
  /** By what the code was sent, if it was. */
  sent: SentKind | undefined
  onSubmit: (code: string) => void
}

function OtpForm({ sent, error, isBusy, onSubmit }: OtpFormProps) {
  const t = useSignInText()
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
        hint={t(isRecovery ? 'mfaRecoveryHint' : sent ? sentKinds[sent].hint : 'mfaHint')}
        error={text}
        isBusy={isBusy}
        action={t(isBusy ? 'signingIn' : 'mfaCheck')}
        onSubmit={submit}
      >
        <TextInput
          ref={code}
          id={`${id}-code`}
          label={t(isRecovery ? 'mfaRecoveryCode' : 'kit:mfaCode')}
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
      {!sent && (
        <button type="button" className={styles.back} onClick={toggle}>
          {t(isRecovery ? 'mfaUseApp' : 'mfaUseRecovery')}
        </button>
      )}
    </>
  )
}
