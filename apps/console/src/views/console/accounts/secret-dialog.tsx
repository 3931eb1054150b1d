import { type Account, AccountSecret } from '@sallyport/contract/resources/accounts'
import { type AccountTemplate, AccountTemplateSecret } from '@sallyport/contract/resources/account-templates'
import { Button } from 'antd'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useEffect, useState } from 'react'
import { call } from '../../../kit/api/call.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { ConfirmationCancelled } from '../../../kit/confirm/step-up.ts'
import { showDateTime } from '../../../kit/dates/dates.ts'
import { describeError } from '../../../kit/feedback/errors.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { SecretText } from '../../../kit/values/secret-text.tsx'
import styles from './accounts.module.css'
import { useProtected } from './use-protected.ts'

const SecretHistory = lazyPart(() => import('./secret-history.tsx'))

/** An account, whose past secrets are kept, or a template, whose are not. */
type Opened = { account: Account; template?: never } | { template: AccountTemplate; account?: never }

/** What opens an account or a template, after the person confirmed who he is; each reading is recorded. */
export default function SecretDialog({ account, template, onClose }: Opened & { onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const [showsHistory, setShowsHistory] = useState(false)
  const { id } = account ?? template
  const { data, error } = useProtected<AccountSecret | AccountTemplateSecret>([id], () =>
    template ? call(AccountTemplateSecret, 'openOne', { id }) : call(AccountSecret, 'openOne', { id }),
  )
  const { path } = template ? AccountTemplateSecret : AccountSecret
  const labels = useMetadata(listPath(path)).data?.actions?.GET ?? {}
  const cancelled = error instanceof ConfirmationCancelled
  useEffect(() => {
    if (cancelled) onClose()
  }, [cancelled, onClose])
  if (!data && (!error || cancelled)) {
    return null
  }
  if (showsHistory) {
    return <SecretHistory id={id} onClose={() => setShowsHistory(false)} />
  }
  const label = (name: string) => labels[name]?.label ?? name
  return (
    <Dialog
      title={text(template ? 'console:templateSecret' : 'console:accountSecret')}
      onCancel={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('confirm')}
        </Button>
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
          {'version' in data && (
            <>
              <dt>{text('console:passwordRecord')}</dt>
              <dd>
                <Button
                  type="link"
                  className={styles.record}
                  disabled={data.version === 0}
                  aria-label={`${text('console:secretHistory')} (${data.version})`}
                  onClick={() => setShowsHistory(true)}
                >
                  {data.version}
                </Button>
              </dd>
            </>
          )}
        </dl>
      ) : (
        <p role="alert">{describeError(error, t)}</p>
      )}
    </Dialog>
  )
}
