import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../kit/session/session.ts'
import packageFile from '../../../package.json'
import styles from './about-dialog.module.css'
import { Logo } from './logo.tsx'

/** Product, edition, version, and whom it is licensed to. */
export default function AboutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const isLicensed = settings.XPACK_LICENSE_IS_VALID
  const rows = [
    [t('product'), `Sallyport ${t(isLicensed ? 'enterpriseEdition' : 'communityEdition')}`],
    [t('version'), `v${packageFile.version}`],
    [t(isLicensed ? 'licensedTo' : 'copyright'), settings.XPACK_LICENSE_INFO.corporation ?? '-'],
  ] as const
  return (
    <Modal open centered width={480} title={t('about')} footer={null} onCancel={onClose}>
      <div className={styles.logo}>
        <Logo image={settings.INTERFACE.logo_logout} />
      </div>
      <dl className={styles.rows}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
