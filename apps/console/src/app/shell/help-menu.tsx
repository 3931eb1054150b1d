import { QuestionCircleOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../kit/session/session.ts'
import styles from './header.module.css'

const AboutDialog = lazy(() => import('./about-dialog.tsx'))

function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address)
}

export function HelpMenu() {
  const { t } = useTranslation()
  const { settings } = useSession()
  const [isAboutOpen, setAboutOpen] = useState(false)
  const links = [
    { key: 'documentation', label: t('documentation'), address: settings.HELP_DOCUMENT_URL },
    { key: 'support', label: t('support'), address: settings.HELP_SUPPORT_URL },
  ].filter(({ address }) => address && isWebAddress(address))
  return (
    <>
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...links.map(({ key, label, address }) => ({
              key,
              label: (
                <a href={address} target="_blank" rel="noopener noreferrer">
                  {label}
                </a>
              ),
            })),
            { key: 'about', label: t('about'), onClick: () => setAboutOpen(true) },
          ],
        }}
      >
        <button
          type="button"
          className={`${styles.tool} ${styles.optional}`}
          aria-label={t('help')}
          title={t('help')}
        >
          <QuestionCircleOutlined />
        </button>
      </Dropdown>
      {isAboutOpen && (
        <Suspense>
          <AboutDialog onClose={() => setAboutOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
