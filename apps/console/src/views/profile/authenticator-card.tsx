import { Mfa, type OtpState } from '@sallyport/contract/resources/sign-in'
import { Profile } from '@sallyport/contract/resources/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy } from 'react'
import { openDialog } from '../../kit/actions/open-dialog.tsx'
import { call } from '../../kit/api/call.ts'
import { api } from '../../kit/api/client.ts'
import { pathOfOne } from '../../kit/api/one.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { Card } from '../../kit/detail/card.tsx'
import { Lines } from '../../kit/detail/lines.tsx'
import { useErrorToast } from '../../kit/feedback/errors.ts'
import { FormFailed, FormWaiting } from '../../kit/form/form-states.tsx'
import { useMessages } from '../../kit/text.ts'
import { refreshProfile } from '../../kit/session/refresh-profile.ts'
import styles from './login-security.module.css'

const dialogs = () => import('./authenticator-dialogs.tsx')
const SetUpDialog = lazy(async () => ({ default: (await dialogs()).SetUpDialog }))
const CodesDialog = lazy(async () => ({ default: (await dialogs()).CodesDialog }))
const DisableDialog = lazy(async () => ({ default: (await dialogs()).DisableDialog }))

const stateKey = ['profile', 'mfa']

/** The second factor of the person: the app that shows codes, and the codes for the day it is lost. */
export function AuthenticatorCard() {
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: stateKey,
    queryFn: ({ signal }) => call(Mfa, 'otp', {}, { signal }),
  })
  const changed = () => {
    void client.invalidateQueries({ queryKey: stateKey })
    void refreshProfile()
  }
  if (error) return <FormFailed error={error} onRetry={() => void refetch()} />
  return data ? <State state={data} changed={changed} /> : <FormWaiting />
}

function State({ state, changed }: { state: OtpState; changed: () => void }) {
  const text = useMessages()
  const showError = useErrorToast()
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      showError(error)
    }
    changed()
  }
  const demand = (isAsked: boolean) =>
    attempt(async () => {
      await withConfirmation(() => api.patch(pathOfOne(Profile), { mfa_level: Number(isAsked) }))
    })
  // Who sets up an app wants to be asked for its codes.
  const setUp = () =>
    openDialog((close) => (
      <SetUpDialog onBound={() => void (isEnabled ? changed() : demand(true))} onClose={close} />
    ))
  const remove = () =>
    openDialog((close) => (
      <DisableDialog
        onDone={() => {
          close()
          changed()
        }}
        onClose={close}
      />
    ))
  const renew = () =>
    attempt(async () => {
      const { recovery_codes: codes } = await withConfirmation(() => call(Mfa, 'renewRecoveryCodes', {}))
      openDialog((close) => <CodesDialog codes={codes} onClose={close} />)
    })
  const { is_bound: isBound, is_enabled: isEnabled, is_forced: isForced, recovery_codes_left: left } = state
  const asking = !isForced && (isBound || isEnabled) && (
    <Button onClick={() => void demand(!isEnabled)}>
      {text(isEnabled ? 'profile:mfaAskNoMore' : 'profile:mfaAsk')}
    </Button>
  )
  return (
    <Card title={text('profile:mfaApp')}>
      <p>{text('profile:mfaAppHelp')}</p>
      <Lines
        lines={[
          {
            key: 'app',
            label: text('profile:mfaApp'),
            value: text(isBound ? 'profile:mfaSetUp' : 'profile:mfaNotSetUp'),
          },
          {
            key: 'asked',
            label: text('profile:mfaAtLogin'),
            value: text(
              isForced ? 'profile:mfaForced' : isEnabled ? 'profile:mfaAsked' : 'profile:mfaNotAsked',
            ),
          },
          ...(isBound ? [{ key: 'left', label: text('profile:mfaCodesLeft'), value: left }] : []),
        ]}
      />
      <div className={styles.buttons}>
        {isBound ? (
          <>
            <Button onClick={() => void renew()}>{text('profile:mfaNewCodes')}</Button>
            {asking}
            <Button danger onClick={remove}>
              {text('profile:mfaRemoveApp')}
            </Button>
          </>
        ) : (
          <>
            <Button type="primary" onClick={setUp}>
              {text('profile:mfaSetUpApp')}
            </Button>
            {asking}
          </>
        )}
      </div>
    </Card>
  )
}
