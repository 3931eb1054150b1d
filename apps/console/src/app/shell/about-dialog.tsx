import { downloadsPage } from '@sallyport/contract/addresses'
import type { Licence } from '@sallyport/contract/resources/license'
import { useTranslation } from 'react-i18next'
import { parseDate } from '../../kit/dates/dates.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { useLicence } from '../../kit/session/licence.ts'
import { useSession } from '../../kit/session/session.ts'
import packageFile from '../../../package.json'
import styles from './about-dialog.module.css'
import { Logo } from './logo.tsx'

/** Product, edition, version, whom it is licensed to; for those who look after the licence, how much of it is used. */
export default function AboutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const isLicensed = settings.XPACK_LICENSE_IS_VALID
  const licence = useLicence()
  const ofLicence = ({ date_expired, asset_count: limit, current_asset_count: used }: Licence) => [
    [t('licenceUntil'), parseDate(date_expired)?.format('L') ?? t('licenceNoLimit')],
    [
      t('licenceAssets'),
      limit === null ? t('licenceAssetsNoLimit', { used }) : t('licenceAssetsUsed', { used, limit }),
    ],
  ]
  const rows = [
    [t('product'), `Sallyport ${t(isLicensed ? 'enterpriseEdition' : 'communityEdition')}`],
    [t('version'), `v${packageFile.version}`],
    ...(isLicensed ? [[t('licensedTo'), settings.XPACK_LICENSE_INFO.corporation ?? '-']] : []),
    ...(licence && isLicensed ? ofLicence(licence) : []),
    [t('copyright'), 'Sallyport, Apache-2.0'],
  ]
  return (
    <Dialog centered width={480} title={t('about')} footer={null} onCancel={onClose}>
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
      <a className={styles.more} href={downloadsPage} target="_blank" rel="noopener noreferrer">
        {t('downloads')}
      </a>
    </Dialog>
  )
}
