import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { signInAddress } from '../addresses.ts'

/** The page stays in view behind it, so that what was typed can still be copied. */
export default function SessionEnded() {
  const { t } = useTranslation()
  return (
    <Modal
      open
      centered
      width={400}
      closable={false}
      keyboard={false}
      title={t('info')}
      footer={
        <Button type="primary" autoFocus onClick={() => location.assign(signInAddress())}>
          {t('signInAgain')}
        </Button>
      }
    >
      {t('signedOutText')}
    </Modal>
  )
}
