import { QuestionCircleOutlined } from '@ant-design/icons'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { useAccess } from '../../kit/access/access.ts'
import { useGo } from '../../kit/routes/navigation.tsx'
import { useSession } from '../../kit/session/session.ts'
import styles from './header.module.css'

const AboutDialog = lazyPart(() => import('./about-dialog.tsx'))

function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

export function HelpMenu() {
  const { t } = useTranslation()
  const { settings } = useSession()
  const { can } = useAccess()
  const go = useGo()
  const [isAboutOpen, setAboutOpen] = useState(false)
  const links = [
    { key: 'documentation', label: t('documentation'), address: settings.HELP_DOCUMENT_URL },
    { key: 'support', label: t('support'), address: settings.HELP_SUPPORT_URL },
  ].filter(({ address }) => address && isWebAddress(address))
  return (
    <>
      <MenuButton
        label={t('help')}
        title={t('help')}
        className={`${styles.tool} ${styles.optional}`}
        entries={[
          ...links.map(({ key, label, address }) => ({
            key,
            label,
            onSelect: () => window.open(address, '_blank', 'noopener,noreferrer'),
          })),
          ...(settings.XPACK_LICENSE_IS_VALID || !can('settings.change_license')
            ? []
            : [
                {
                  key: 'enterprise',
                  label: t('enterpriseEdition'),
                  onSelect: () => void go('/settings/license'),
                },
              ]),
          { key: 'about', label: t('about'), onSelect: () => setAboutOpen(true) },
        ]}
      >
        <QuestionCircleOutlined />
      </MenuButton>
      {isAboutOpen && (
        <Suspense>
          <AboutDialog onClose={() => setAboutOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
