import { Passkeys } from '@sallyport/contract/resources/passkeys'
import { useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { ask } from '../../kit/confirm/ask.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { showDateTime } from '../../kit/dates/dates.ts'
import { Card } from '../../kit/detail/card.tsx'
import { useErrorToast } from '../../kit/feedback/errors.ts'
import { hasPasskeys } from '../../kit/session/passkeys.ts'
import { useKitText, useMessages } from '../../kit/text.ts'
import styles from './login-security.module.css'

/** Passkeys of the person: each logs in alone, or stands for a code after the password. */
export function PasskeysCard() {
  const text = useMessages()
  const kit = useKitText()
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
      title: text('profile:passkeyRemoveQuestion', { name: called }),
      danger: true,
      onConfirm: async () => {
        await withConfirmation(() => call(Passkeys, 'remove', { passkey }))
        await list.refetch()
      },
    })
  return (
    <Card title={text('profile:passkeys')}>
      <ul className={styles.list}>
        {own.map((one) => (
          <li key={one.id}>
            <span>{one.name}</span>
            <span className={styles.dim}>
              {text('profile:lastUsed')}:{' '}
              {one.date_last_used ? showDateTime(one.date_last_used) : text('profile:neverUsed')}
            </span>
            <Button size="small" danger onClick={() => remove(one.id, one.name)}>
              {kit('remove')}
            </Button>
          </li>
        ))}
      </ul>
      {hasPasskeys() ? (
        <div className={styles.buttons}>
          <Input
            aria-label={text('profile:passkeyName')}
            placeholder={text('profile:passkeyName')}
            maxLength={64}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="primary" disabled={name.trim() === ''} onClick={() => void add()}>
            {text('profile:passkeyAdd')}
          </Button>
        </div>
      ) : (
        <p className={styles.dim}>{text('kit:passkeyNeedsName')}</p>
      )}
    </Card>
  )
}
