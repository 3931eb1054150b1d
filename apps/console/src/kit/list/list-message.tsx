import { InboxOutlined, LockOutlined, WarningOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { ApiError } from '../api/errors.ts'
import { describeError } from '../feedback/errors.ts'
import { Skeleton } from '../page/skeleton.tsx'
import { useKitText } from '../text.ts'
import styles from './list.module.css'

interface ListMessageProps {
  error: Error | null
  waiting: boolean
  /** Filters are in force, so an empty list may only be a narrow search. */
  filtered: boolean
  /** All that is shown is of this time. */
  period: { from: string; to: string } | undefined
  onRetry: () => void
  onClear: () => void
}

/** What stands in the place of rows: loading, forbidden, an error, or nothing there. */
export function ListMessage({ error, waiting, filtered, period, onRetry, onClear }: ListMessageProps) {
  const t = useKitText()
  if (error) {
    const forbidden = error instanceof ApiError && error.status === 403
    return (
      <Message
        icon={forbidden ? <LockOutlined aria-hidden /> : <WarningOutlined aria-hidden />}
        text={describeError(error, t)}
        alert
      >
        {!forbidden && <Button onClick={onRetry}>{t('retry')}</Button>}
      </Message>
    )
  }
  if (waiting) {
    return <Skeleton />
  }
  return (
    <Message icon={<InboxOutlined aria-hidden />} text={t(filtered ? 'nothingMatches' : 'noData')}>
      {period && <p>{t('shownPeriod', period)}</p>}
      {filtered && <Button onClick={onClear}>{t('clearFilters')}</Button>}
    </Message>
  )
}

function Message({
  icon,
  text,
  alert,
  children,
}: {
  icon: ReactNode
  text: string
  alert?: boolean
  children: ReactNode
}) {
  return (
    <div className={styles.message} role={alert ? 'alert' : 'status'}>
      <span className={styles.messageIcon}>{icon}</span>
      <p>{text}</p>
      {children}
    </div>
  )
}
