import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../kit/dialog/modal.tsx'
import { useSession } from '../../kit/session/session.ts'
import { base, loggedInPath, signInAddress } from '../addresses.ts'
import { dismissSessionEnd } from '../../kit/session/login-state.ts'
import { checkSession } from '../../kit/session/login-watch.ts'

/** The page stays as it is behind it: the person logs in again in a new tab and goes on with what was typed. */
export default function SessionEnded() {
  const { t } = useTranslation()
  const { profile } = useSession()
  const [isRefused, setRefused] = useState(false)
  const goOn = async () => setRefused(!(await checkSession()))
  return (
    <Modal
      centered
      width={440}
      closable={{ 'aria-label': t('close') }}
      mask={{ closable: false }}
      onCancel={dismissSessionEnd}
      title={t('info')}
      footer={
        <>
          <Button onClick={() => void goOn()}>{t('signedInAgain')}</Button>
          <Button
            type="primary"
            href={signInAddress(`${base}${loggedInPath}`)}
            target="_blank"
            rel="noopener"
          >
            {t('signInAgain')}
          </Button>
        </>
      }
    >
      <p>{t('signedOutText')}</p>
      {isRefused && (
        <Alert type="warning" showIcon role="alert" title={t('stillSignedOut', { name: profile.name })} />
      )}
    </Modal>
  )
}
