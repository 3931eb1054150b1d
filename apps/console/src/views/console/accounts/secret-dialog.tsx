import { Account, AccountSecret } from '@sallyport/contract/resources/accounts'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useEffect, useState } from 'react'
import { call } from '../../../kit/api/call.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath, pageOf } from '../../../kit/api/resource.ts'
import { ConfirmationCancelled, withConfirmation } from '../../../kit/confirm/step-up.ts'
import { showDateTime } from '../../../kit/dates/dates.ts'
import { describeError } from '../../../kit/feedback/errors.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { SecretText } from '../../../kit/values/secret-text.tsx'
import styles from './accounts.module.css'

const historyAtMost = 100

/** Reads what is protected: the person confirms who he is first. Nothing is kept once the dialog is gone. */
function useProtected<T>(key: readonly unknown[], read: () => Promise<T>) {
  return useQuery({
    queryKey: ['protected', ...key],
    queryFn: () => withConfirmation(read),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  })
}

/** What opens an account, after the person confirmed who he is; each reading is recorded. */
export default function SecretDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const [showsHistory, setShowsHistory] = useState(false)
  const { data, error } = useProtected([account.id], () => call(AccountSecret, 'openOne', { id: account.id }))
  const labels = useMetadata(listPath(Account.path)).data?.actions?.GET ?? {}
  const cancelled = error instanceof ConfirmationCancelled
  useEffect(() => {
    if (cancelled) onClose()
  }, [cancelled, onClose])
  if (!data && (!error || cancelled)) {
    return null
  }
  if (showsHistory) {
    return <History id={account.id} onClose={() => setShowsHistory(false)} />
  }
  const label = (name: string) => labels[name]?.label ?? name
  return (
    <Dialog
      open
      title={text('accountSecret')}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={() => setShowsHistory(true)} disabled={!data}>
            {text('secretHistory')}
          </Button>
          <Button type="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </>
      }
    >
      {data ? (
        <dl className={styles.facts}>
          <dt>{label('name')}</dt>
          <dd>{data.name}</dd>
          <dt>{label('username')}</dt>
          <dd>{plainValue(data.username, t)}</dd>
          <dt>{data.secret_type.label}</dt>
          <dd>
            <SecretText secret={data.secret ?? ''} fileName={`${data.name}.txt`} />
          </dd>
          {data.spec_info.ssh_key_fingerprint && (
            <>
              <dt>{text('sshFingerprint')}</dt>
              <dd>{data.spec_info.ssh_key_fingerprint}</dd>
            </>
          )}
          <dt>{label('date_created')}</dt>
          <dd>{showDateTime(data.date_created)}</dd>
          <dt>{label('date_updated')}</dt>
          <dd>{showDateTime(data.date_updated)}</dd>
        </dl>
      ) : (
        <p role="alert">{describeError(error, t)}</p>
      )}
    </Dialog>
  )
}

function History({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const { data, error } = useProtected([id, 'histories'], () =>
    call(AccountSecret, 'histories', { id, query: { limit: historyAtMost } }),
  )
  const past = data ? pageOf(data).results : []
  return (
    <Dialog open title={text('secretHistory')} footer={null} loading={!data && !error} onCancel={onClose}>
      {error ? (
        <p role="alert">{describeError(error, t)}</p>
      ) : past.length === 0 ? (
        <p>{t('noData')}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{text('secret')}</th>
              <th>{text('replacedOn')}</th>
            </tr>
          </thead>
          <tbody>
            {past.map(({ version, secret, history_date: date }) => (
              <tr key={version}>
                <td>
                  <SecretText secret={secret ?? ''} />
                </td>
                <td>{showDateTime(date)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
