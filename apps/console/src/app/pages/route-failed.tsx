import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { ApiError } from '../../kit/api/errors.ts'
import { LoadFailed } from '../../kit/loading/load-code.ts'
import { useLoadAgain } from '../../kit/loading/use-load-again.ts'
import { describeError } from '../../kit/feedback/errors.ts'
import { useKitText } from '../../kit/text.ts'
import { currentSession } from '../../kit/session/session.ts'
import { signInAddress } from '../addresses.ts'
import { VerificationFailed } from '../start/start-up.ts'
import { MessagePage } from './message-page.tsx'
import styles from './pages.module.css'

/** A page, or the start-up before it, failed. */
export function RouteFailedPage() {
  const { t } = useTranslation()
  const kitText = useKitText()
  const error = useRouteError()
  const starting = currentSession() === null
  if (error instanceof VerificationFailed) {
    return (
      <MessagePage
        title={t('startFailedTitle')}
        text={t('verificationFailed')}
        detail={describeError(error.cause, kitText)}
        action={
          <div className={styles.actions}>
            <a className={styles.action} href={signInAddress()}>
              {t('signInAgain')}
            </a>
            <Again text={t('retry')} />
          </div>
        }
      />
    )
  }
  if (error instanceof LoadFailed) {
    const wasUpgraded = error.reason === 'upgraded'
    return (
      <MessagePage
        title={t('screenFailedTitle')}
        text={describeError(error, kitText)}
        action={<Again text={wasUpgraded ? kitText('loadAgain') : t('retry')} />}
      />
    )
  }
  const text = describeError(error, kitText)
  const fromServer = error instanceof ApiError
  return (
    <MessagePage
      title={t(starting ? 'startFailedTitle' : 'screenFailedTitle')}
      text={fromServer ? text : t('screenFailedText')}
      detail={fromServer ? undefined : text}
      action={<Again text={t(fromServer ? 'retry' : 'reload')} />}
    />
  )
}

function Again({ text }: { text: string }) {
  const t = useKitText()
  const { loadAgain, attempts, isTrying } = useLoadAgain()
  return (
    <>
      <button type="button" className={styles.action} disabled={isTrying} onClick={loadAgain}>
        {text}
      </button>
      {attempts > 0 && !isTrying && (
        <p key={attempts} className={styles.text} role="alert">
          {t('stillUnreachable')}
        </p>
      )}
    </>
  )
}
