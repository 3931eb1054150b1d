import { Mfa, type OtpOffer } from '@sallyport/contract/resources/sign-in'
import { Alert, Button, Input, QRCode } from 'antd'
import { type FormEvent, useState } from 'react'
import { call } from '../api/call.ts'
import { ConfirmationCancelled, withConfirmation } from '../confirm/step-up.ts'
import { describeError } from '../feedback/errors.ts'
import { qrColors } from '../theme/tokens.ts'
import { useKitText } from '../text.ts'
import { KeepButtons } from '../values/keep-buttons.tsx'
import { ShownOnce } from '../unsaved/shown-once.tsx'
import { SecretText } from '../values/secret-text.tsx'
import styles from './otp-setup.module.css'

/**
 * Sets up an authenticator app: for whoever is signed in, or cannot go on signing in without it. `onBound`: it is set up; `onDone`: the
 * recovery codes have been seen, too.
 */
export function OtpSetup({ onBound, onDone }: { onBound?: () => void; onDone: () => void }) {
  const [offer, setOffer] = useState<OtpOffer>()
  const [codes, setCodes] = useState<string[]>()
  if (codes !== undefined) return <RecoveryCodeList codes={codes} onDone={onDone} />
  if (offer === undefined) return <Beginning onOffer={setOffer} />
  return (
    <Binding
      offer={offer}
      onBound={(shown) => {
        setCodes(shown)
        onBound?.()
      }}
    />
  )
}

/** Makes a call, and says what went wrong with it. */
function useAttempt() {
  const t = useKitText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const attempt = async <T,>(work: () => Promise<T>, then: (answer: T) => void) => {
    setBusy(true)
    setProblem(undefined)
    try {
      then(await work())
    } catch (error) {
      if (!(error instanceof ConfirmationCancelled)) setProblem(describeError(error, t))
    }
    setBusy(false)
  }
  return {
    t,
    isBusy,
    attempt,
    problem: problem && <Alert type="error" showIcon role="alert" title={problem} />,
  }
}

function Beginning({ onOffer }: { onOffer: (offer: OtpOffer) => void }) {
  const { t, isBusy, problem, attempt } = useAttempt()
  const begin = () => attempt(() => withConfirmation(() => call(Mfa, 'startOtp', {})), onOffer)
  return (
    <div className={styles.body}>
      <p>{t('otpInstall')}</p>
      {problem}
      <Button type="primary" block loading={isBusy} onClick={() => void begin()}>
        {t('otpShowQr')}
      </Button>
    </div>
  )
}

function Binding({ offer, onBound }: { offer: OtpOffer; onBound: (codes: string[]) => void }) {
  const { t, isBusy, problem, attempt } = useAttempt()
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(
      () => call(Mfa, 'bindOtp', { body: { code } }),
      ({ recovery_codes: codes }) => onBound(codes),
    )
  }
  return (
    <form className={styles.body} onSubmit={submit}>
      <p>{t('otpScan')}</p>
      <div className={styles.qr}>
        <QRCode
          aria-label={t('otpQrLabel')}
          value={offer.uri}
          type="svg"
          size={192}
          errorLevel="M"
          {...qrColors}
        />
      </div>
      <div>
        {t('otpKey')}: <SecretText secret={offer.secret} fileName="key.txt" />
      </div>
      <Input
        autoFocus
        aria-label={t('otpCode')}
        placeholder={t('otpCode')}
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={7}
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      {problem}
      <Button type="primary" block htmlType="submit" loading={isBusy} disabled={code.trim() === ''}>
        {t('otpBind')}
      </Button>
    </form>
  )
}

/** Recovery codes, which are shown this one time. */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useKitText()
  return (
    <ShownOnce kept={t('otpRecoverySaved')} done={t('otpContinue')} onDone={onDone}>
      <Alert type="warning" showIcon title={t('otpRecoveryTitle')} description={t('otpRecoveryHelp')} />
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <span>
        <KeepButtons text={`${codes.join('\n')}\n`} fileName="recovery-codes.txt" />
      </span>
    </ShownOnce>
  )
}
