import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import { api } from '../api/client.ts'
import { type Page, pageOf, type RowId } from '../api/resource.ts'
import { showDateTime } from '../dates/dates.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { Card } from './card.tsx'
import styles from './detail.module.css'

interface ActivityItem {
  id: string
  timestamp: string
  content: string
  detail_url: string
  r_type: string
}

interface DiffRow {
  field: string
  before: string
  after: string
}

const operateLog = 'O'
const logWindow = 'width=900,height=600'

/** What happened to a row lately: who did what, and for changes what was before and after. */
export default function Activity({ id }: { id: RowId }) {
  const t = useKitText()
  const [diffOf, setDiffOf] = useState<string>()
  const items = useQuery({
    queryKey: ['activities', id],
    queryFn: async ({ signal }) =>
      pageOf(
        await api.get<Page<ActivityItem> | ActivityItem[]>('audits/activities/', {
          query: { resource_id: id },
          signal,
        }),
      ).results,
  })
  const open = (item: ActivityItem) => {
    if (item.r_type === operateLog) {
      setDiffOf(item.detail_url)
    } else {
      window.open(item.detail_url, '_blank', logWindow)
    }
  }
  return (
    <Card title={t('activityTitle')}>
      <ol className={styles.timeline}>
        <li>{t('now')}</li>
        {items.data?.map((item) => (
          <li key={item.id}>
            <time>{showDateTime(item.timestamp)}</time>
            <span>{item.content}</span>
            {isOwnAddress(item.detail_url) && (
              <Button type="link" size="small" onClick={() => open(item)}>
                {t('detail')}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {items.isPending && <p className={styles.none}>{t('loading')}</p>}
      {items.error && (
        <p className={styles.none} role="alert">
          {describeError(items.error, t)}
        </p>
      )}
      {diffOf !== undefined && <DiffDialog address={diffOf} onClose={() => setDiffOf(undefined)} />}
    </Card>
  )
}

/** Links come from the books; only those into this site are followed. */
function isOwnAddress(address: string): boolean {
  return address !== '' && new URL(address, location.origin).origin === location.origin
}

function DiffDialog({ address, onClose }: { address: string; onClose: () => void }) {
  const t = useKitText()
  const { data, error, isPending } = useQuery({
    queryKey: ['diff', address],
    queryFn: ({ signal }) => api.get<{ diff: DiffRow[] }>(address, { signal }),
  })
  const rows = data?.diff ?? []
  return (
    <Modal
      open
      width="60%"
      title={t('changes')}
      footer={null}
      closable={{ 'aria-label': t('close') }}
      loading={isPending}
      onCancel={onClose}
    >
      {error ? (
        <p role="alert">{describeError(error, t)}</p>
      ) : rows.length === 0 ? (
        <p className={styles.none}>{t('noContent')}</p>
      ) : (
        <table className={styles.diff}>
          <thead>
            <tr>
              <th>{t('field')}</th>
              <th>{t('before')}</th>
              <th>{t('after')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.field}>
                <th scope="row">{row.field}</th>
                <td>{row.before}</td>
                <td>{row.after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Modal>
  )
}
