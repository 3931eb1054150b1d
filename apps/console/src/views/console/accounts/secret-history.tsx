import { AccountSecret } from '@sallyport/contract/resources/accounts'
import { Pagination } from 'antd'
import { useState } from 'react'
import { call } from '../../../kit/api/call.ts'
import { pageOf } from '../../../kit/api/resource.ts'
import { showDateTime } from '../../../kit/dates/dates.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { describeError } from '../../../kit/feedback/errors.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { SecretText } from '../../../kit/values/secret-text.tsx'
import styles from './accounts.module.css'
import { useProtected } from './use-protected.ts'

const pageSize = 10

/** What opened an account before, newest first, with who put it there and when; each page that is read is recorded. */
export default function SecretHistory({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const [page, setPage] = useState(1)
  const { data, error } = useProtected([id, 'histories', page], () =>
    call(AccountSecret, 'histories', { id, query: { limit: pageSize, offset: (page - 1) * pageSize } }),
  )
  const { results: past, count } = data ? pageOf(data) : { results: [], count: 0 }
  return (
    <Dialog title={text('console:secretHistory')} footer={null} loading={!data && !error} onCancel={onClose}>
      {error ? (
        <p role="alert">{describeError(error, t)}</p>
      ) : past.length === 0 ? (
        <p>{t('noData')}</p>
      ) : (
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{text('console:secretGroup')}</th>
              <th>{text('console:secretType')}</th>
              <th>{text('console:secretChangedOn')}</th>
              <th>{text('console:secretChangedBy')}</th>
            </tr>
          </thead>
          <tbody>
            {past.map(({ version, secret, secret_type, history_date, history_user_name }) => (
              <tr key={version}>
                <td>
                  <SecretText secret={secret ?? ''} />
                </td>
                <td>{secret_type.label}</td>
                <td>{showDateTime(history_date)}</td>
                <td>{plainValue(history_user_name, t)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {count > pageSize && (
        <Pagination
          size="small"
          align="end"
          current={page}
          pageSize={pageSize}
          total={count}
          showSizeChanger={false}
          onChange={setPage}
        />
      )}
    </Dialog>
  )
}
