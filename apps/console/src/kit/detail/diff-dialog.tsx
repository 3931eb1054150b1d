import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../dialog/dialog.tsx'
import { withLocalTimes } from '../dates/dates.ts'
import { api } from '../api/client.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import styles from './detail.module.css'

interface DiffRow {
  field: string
  before: string
  after: string
}

interface DiffDialogProps {
  /** What was done, as a sentence. */
  title: string
  /** Answers `{diff: [{field, before, after}]}`. */
  address: string
  onClose: () => void
}

/** What an operation changed. */
export function DiffDialog({ title, address, onClose }: DiffDialogProps) {
  const t = useKitText()
  const { data, error, isPending } = useQuery({
    queryKey: ['diff', address],
    queryFn: ({ signal }) => api.get<{ diff: DiffRow[] }>(address, { signal }),
  })
  const rows = data?.diff ?? []
  return (
    <Dialog title={title} footer={null} loading={isPending} onCancel={onClose}>
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
                <td>{withLocalTimes(row.before)}</td>
                <td>{withLocalTimes(row.after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}
