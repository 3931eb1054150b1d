import { Activities, type Activity as Item } from '@sallyport/contract/resources/audits'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '../api/call.ts'
import type { RowId } from '../api/resource.ts'
import { showDateTime } from '../dates/dates.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { Card } from './card.tsx'
import { DiffDialog } from './diff-dialog.tsx'
import styles from './detail.module.css'

const operateLog = 'O'
const logWindow = 'width=900,height=600'

/** What happened to a row lately: who did what, and for changes what was before and after. */
export default function Activity({ id }: { id: RowId }) {
  const t = useKitText()
  const [diffOf, setDiffOf] = useState<Item>()
  const items = useQuery({
    queryKey: ['activities', id],
    queryFn: async () => {
      const listed = await call(Activities, 'list', { query: { resource_id: String(id) } })
      return Array.isArray(listed) ? listed : listed.results
    },
  })
  const open = (item: Item) => {
    if (item.r_type === operateLog) {
      setDiffOf(item)
    } else {
      window.open(item.detail_url, '_blank', logWindow)
    }
  }
  return (
    <Card title={t('activityTitle')}>
      <ol className={styles.timeline}>
        <li data-type="primary" data-size="large">
          {t('now')}
        </li>
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
      {diffOf && (
        <DiffDialog title={diffOf.content} address={diffOf.detail_url} onClose={() => setDiffOf(undefined)} />
      )}
    </Card>
  )
}

/** Links come from the books; only those into this site are followed. */
function isOwnAddress(address: string): boolean {
  return address !== '' && new URL(address, location.origin).origin === location.origin
}
