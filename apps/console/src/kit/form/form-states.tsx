import { Button, Result } from 'antd'
import { ApiError } from '../api/errors.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import styles from './form.module.css'

/** In place of a form whose row or description is under way. */
export function FormWaiting() {
  const t = useKitText()
  return <div className={styles.waiting} role="status" aria-label={t('loading')} />
}

/** In place of a form whose row or description could not be read: why, and another try where one may help. */
export function FormFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useKitText()
  if (error instanceof ApiError && error.status === 403) {
    return <FormForbidden />
  }
  return (
    <Result
      status="warning"
      title={describeError(error, t)}
      extra={<Button onClick={onRetry}>{t('retry')}</Button>}
    />
  )
}

/** In place of a form the person may not send. */
export function FormForbidden() {
  const t = useKitText()
  return <Result status="warning" title={t('errorForbidden')} />
}
