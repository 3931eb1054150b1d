import { signInPages } from '@sallyport/contract/addresses'
import { Confirm, type ConfirmChallenge } from '@sallyport/contract/resources/authentication'
import { Mfa } from '@sallyport/contract/resources/sign-in'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Alert, Button, Input, Segmented } from 'antd'
import { Dialog } from '../dialog/dialog.tsx'
import { type FormEvent, useEffect, useState } from 'react'
import { call } from '../api/call.ts'
import { describeError } from '../feedback/errors.ts'
import { sealSecret, useSealing } from '../secrets/secrets.ts'
import { useKitText } from '../text.ts'
import styles from './step-up.module.css'
import type { StepUpRequest } from './step-up.ts'
import { resendAfterSeconds, useCountdown } from './use-countdown.ts'

const codeLength = 6
/** Sixteen letters and digits, however they are grouped. */
const isRecoveryCode = (typed: string) => /^[A-Z2-7]{16}$/iu.test(typed.replaceAll(/[\s-]/gu, ''))
/** Codes that are sent, not held. */
const sentMethods = ['email', 'sms']

/** Asks again who is sitting there: by password, a second factor, or a fresh sign-in. */
export default function StepUpDialog({ request }: { request: StepUpRequest }) {
  const t = useKitText()
  useSealing()
  const challenge = useQuery({
    queryKey: ['step-up', request.type],
    queryFn: async () => {
      const answer = await call(Confirm, 'challenge', { query: { confirm_type: request.type } })
      // A sign-in of the last minutes is enough: try that first, without asking anything.
      return answer.confirm_type === 'relogin' && (await reloginIsFresh()) ? ('fresh' as const) : answer
    },
    gcTime: 0,
    retry: false,
  })
  const isFresh = challenge.data === 'fresh'
  useEffect(() => {
    if (isFresh) {
      request.confirmed()
    }
  }, [isFresh, request])
  if (challenge.data === 'fresh') return null
  const answer = challenge.data
  return (
    <Dialog
      width={440}
      title={t(answer?.confirm_type === 'relogin' ? 'needRelogin' : 'verifyUser')}
      footer={null}
      loading={challenge.isPending}
      mask={{ closable: false }}
      onCancel={request.cancelled}
    >
      {challenge.error && (
        <Alert type="error" showIcon title={describeError(challenge.error, t)} role="alert" />
      )}
      {answer?.confirm_type === 'relogin' && <Relogin />}
      {answer && answer.confirm_type !== 'relogin' && <Proof challenge={answer} onDone={request.confirmed} />}
    </Dialog>
  )
}

async function reloginIsFresh(): Promise<boolean> {
  try {
    await call(Confirm, 'confirm', { body: { confirm_type: 'relogin', secret_key: '' } })
    return true
  } catch {
    // The server says why in its answer; the dialog then offers the only way on.
    return false
  }
}

function Relogin() {
  const t = useKitText()
  const next = encodeURIComponent(location.pathname + location.search)
  return (
    <div className={styles.body}>
      <p>{t('needReloginHint')}</p>
      <Button type="primary" block href={`${signInPages.signOut}?next=${next}`}>
        {t('signInAgain')}
      </Button>
    </div>
  )
}

function Proof({ challenge, onDone }: { challenge: ConfirmChallenge; onDone: () => void }) {
  const t = useKitText()
  const methods = challenge.content === '' ? [] : challenge.content
  const isPassword = challenge.confirm_type === 'password'
  const [method, setMethod] = useState(methods.find((candidate) => !candidate.disabled)?.name)
  const [secret, setSecret] = useState('')
  const [problem, setProblem] = useState<string>()
  const chosen = methods.find((candidate) => candidate.name === method)
  const confirm = useMutation({
    mutationFn: async () =>
      call(Confirm, 'confirm', {
        body: {
          confirm_type: challenge.confirm_type,
          ...(isPassword || method === undefined ? {} : { mfa_type: method }),
          secret_key: await sealSecret(secret),
        },
      }),
    onSuccess: onDone,
    onError: (error) => setProblem(describeError(error, t)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (method === 'otp' && secret.trim().length !== codeLength && !isRecoveryCode(secret)) {
      setProblem(t('mfaWrong'))
      return
    }
    setProblem(undefined)
    confirm.mutate()
  }
  return (
    <form className={styles.body} onSubmit={submit}>
      {!isPassword && (
        <Segmented
          block
          aria-label={t('verifyMethod')}
          value={method}
          onChange={setMethod}
          options={methods.map((item) => ({
            value: item.name,
            label: item.display_name,
            disabled: item.disabled,
          }))}
        />
      )}
      <div className={styles.secret}>
        {isPassword ? (
          <Input.Password
            autoFocus
            aria-label={t('password')}
            placeholder={t('password')}
            autoComplete="current-password"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        ) : (
          <Input
            autoFocus
            aria-label={chosen?.placeholder ?? t('code')}
            placeholder={chosen?.placeholder}
            autoComplete="one-time-code"
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        )}
        {chosen && sentMethods.includes(chosen.name) && (
          <SendCode key={chosen.name} type={chosen.name} onProblem={setProblem} />
        )}
      </div>
      {method === 'otp' && <p className={styles.hint}>{t('codeOrRecovery')}</p>}
      {problem && <Alert type="error" showIcon title={problem} role="alert" />}
      <Button type="primary" block htmlType="submit" loading={confirm.isPending} disabled={!secret}>
        {t('confirm')}
      </Button>
    </form>
  )
}

function SendCode({ type, onProblem }: { type: string; onProblem: (problem: string | undefined) => void }) {
  const t = useKitText()
  const [secondsLeft, countDown] = useCountdown()
  const send = useMutation({
    mutationFn: () => call(Mfa, 'select', { body: { type } }),
    onSuccess: () => {
      onProblem(undefined)
      countDown(resendAfterSeconds)
    },
    onError: (error) => onProblem(describeError(error, t)),
  })
  return (
    <Button loading={send.isPending} disabled={secondsLeft > 0} onClick={() => send.mutate()}>
      {secondsLeft > 0 ? t('codePending', { seconds: secondsLeft }) : t('sendCode')}
    </Button>
  )
}
