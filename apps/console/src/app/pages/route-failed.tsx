import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { ApiError } from '../../kit/api/errors.ts'
import { describeError } from '../../kit/feedback/errors.ts'
import { useKitText } from '../../kit/text.ts'
import { currentSession } from '../../kit/session/session.ts'
import { MessagePage } from './message-page.tsx'
import styles from './pages.module.css'

/** A page, or the start-up before it, failed. */
export function RouteFailedPage() {
  const { t } = useTranslation()
  const kitText = useKitText()
  const error = useRouteError()
  const starting = currentSession() === null
  const text = describeError(error, kitText)
  const fromServer = error instanceof ApiError
  return (
    <MessagePage
      title={t(starting ? 'startFailedTitle' : 'screenFailedTitle')}
      text={fromServer ? text : t('screenFailedText')}
      detail={fromServer ? undefined : text}
      action={
        <button type="button" className={styles.action} onClick={() => location.reload()}>
          {t(fromServer ? 'retry' : 'reload')}
        </button>
      }
    />
  )
}
