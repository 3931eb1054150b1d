import { Mfa } from '@sallyport/contract/resources/sign-in'
import { Passkeys } from '@sallyport/contract/resources/passkeys'
import { UserSession } from '@sallyport/contract/resources/temp-tokens'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { ask } from '../../kit/confirm/ask.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { Card } from '../../kit/detail/card.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { describeError, useErrorToast } from '../../kit/feedback/errors.ts'
import { OtpSetup, RecoveryCodeList } from '../../kit/otp/otp-setup.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useKitText, useMessages } from '../../kit/text.ts'
import styles from './login-security.module.css'

/** How one logs in: authenticator app, passkeys, and the browsers that are logged in. */
export default function LoginSecurity() {
  return (
    <Page>
      <div className={styles.cards}>
        <AuthenticatorCard />
        <PasskeyCard />
        <BrowserCard />
      </div>
    </Page>
  )
}

function AuthenticatorCard() {
  const text = useMessages()
  const toastError = useErrorToast()
  const state = useQuery({ queryKey: ['own-otp'], queryFn: () => call(Mfa, 'otp', {}) })
  const [open, setOpen] = useState<'setup' | 'remove'>()
  const [codes, setCodes] = useState<string[]>()
  const close = () => {
    setOpen(undefined)
    setCodes(undefined)
    void state.refetch()
  }
  const renew = async () => {
    try {
      setCodes((await withConfirmation(() => call(Mfa, 'renewRecoveryCodes', {}))).recovery_codes)
    } catch (error) {
      toastError(error)
    }
  }
  const isBound = state.data?.is_bound === true
  return (
    <Card title={text('authenticatorApp')}>
      <p>{text(isBound ? 'otpIsSet' : 'otpIsNotSet')}</p>
      {isBound && <p>{text('recoveryLeft', { count: state.data?.recovery_codes_left ?? 0 })}</p>}
      <div className={styles.buttons}>
        {isBound ? (
          <>
            <Button onClick={() => void renew()}>{text('recoveryRenew')}</Button>
            <Button danger onClick={() => setOpen('remove')}>
              {text('otpRemove')}
            </Button>
          </>
        ) : (
          <Button type="primary" disabled={state.isPending} onClick={() => setOpen('setup')}>
            {text('otpSetUp')}
          </Button>
        )}
      </div>
      {open === 'setup' && (
        <Dialog open width={440} title={text('authenticatorApp')} footer={null} onCancel={close}>
          <OtpSetup onDone={close} />
        </Dialog>
      )}
      {open === 'remove' && <RemoveDialog onDone={close} />}
      {codes && (
        <Dialog open width={440} title={text('recoveryRenew')} footer={null} onCancel={close}>
          <RecoveryCodeList codes={codes} onDone={close} />
        </Dialog>
      )}
    </Card>
  )
}

function RemoveDialog({ onDone }: { onDone: () => void }) {
  const text = useMessages()
  const t = useKitText()
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState('')
  const remove = async () => {
    try {
      await call(Mfa, 'disableOtp', { body: { code } })
      onDone()
    } catch (error) {
      setProblem(describeError(error, t))
    }
  }
  return (
    <Dialog
      open
      width={440}
      title={text('otpRemoveTitle')}
      okText={text('otpRemove')}
      okButtonProps={{ danger: true, disabled: code.trim() === '' }}
      onOk={() => void remove()}
      onCancel={onDone}
    >
      <Input
        autoFocus
        aria-label={text('kit:otpCode')}
        placeholder={text('kit:otpCode')}
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <p role="alert">{problem}</p>
    </Dialog>
  )
}

function PasskeyCard() {
  const text = useMessages()
  const toastError = useErrorToast()
  const list = useQuery({ queryKey: ['own-passkeys'], queryFn: () => call(Passkeys, 'list', {}) })
  const [name, setName] = useState('')
  const own = Array.isArray(list.data) ? list.data : []
  const add = async () => {
    try {
      const options = await withConfirmation(() => call(Passkeys, 'startRegistration', {}))
      const { startRegistration } = await import('@simplewebauthn/browser')
      const credential = await startRegistration({
        optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
      })
      const body = { name: name.trim(), credential: { ...credential } }
      await withConfirmation(() => call(Passkeys, 'register', { body }))
      setName('')
    } catch (error) {
      toastError(error)
    }
    await list.refetch()
  }
  const remove = (passkey: string, called: string) =>
    ask({
      title: text('passkeyRemoveQuestion', { name: called }),
      danger: true,
      onConfirm: async () => {
        await withConfirmation(() => call(Passkeys, 'remove', { passkey }))
        await list.refetch()
      },
    })
  return (
    <Card title={text('passkeys')}>
      <ul className={styles.list}>
        {own.map((one) => (
          <li key={one.id}>
            <span>{one.name}</span>
            <span className={styles.dim}>{one.date_last_used || one.date_created}</span>
            <Button size="small" danger onClick={() => remove(one.id, one.name)}>
              {text('otpRemove')}
            </Button>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Input
          aria-label={text('passkeyName')}
          placeholder={text('passkeyName')}
          maxLength={64}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="primary" disabled={name.trim() === ''} onClick={() => void add()}>
          {text('passkeyAdd')}
        </Button>
      </div>
    </Card>
  )
}

function BrowserCard() {
  const text = useMessages()
  const list = useQuery({ queryKey: ['own-sessions'], queryFn: () => call(UserSession, 'list', {}) })
  const own = Array.isArray(list.data) ? list.data : []
  const end = (session: string) =>
    ask({
      title: text('endLoginQuestion'),
      danger: true,
      onConfirm: async () => {
        await call(UserSession, 'end', { session })
        await list.refetch()
      },
    })
  return (
    <Card title={text('loggedInBrowsers')}>
      <ul className={styles.list}>
        {own.map((one) => (
          <li key={one.id}>
            <span>{one.remote_addr}</span>
            <span className={styles.dim}>{one.user_agent}</span>
            <span className={styles.dim}>{one.date_last_used}</span>
            {one.is_current ? (
              <strong>{text('thisBrowser')}</strong>
            ) : (
              <Button size="small" danger onClick={() => end(one.id)}>
                {text('endLogin')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
