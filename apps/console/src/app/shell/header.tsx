import { CodeOutlined, MenuOutlined, SettingOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useAccess } from '../../kit/access/access.ts'
import { useSession } from '../../kit/session/session.ts'
import { AccountMenu } from './account-menu.tsx'
import { DisplayMenu } from './display-menu.tsx'
import styles from './header.module.css'
import { HelpMenu } from './help-menu.tsx'
import { Logo } from './logo.tsx'
import { OrganizationSelect } from './organization-select.tsx'
import { SiteMessagesBell } from './site-messages/bell.tsx'
import { TicketsLink } from './tickets-link.tsx'
import { ViewWords } from './view-switcher.tsx'
import { inSameOrganization, Link } from '../../kit/routes/navigation.tsx'

interface HeaderProps {
  isMenuOpen: boolean
  onToggleMenu: () => void
}

export function Header({ isMenuOpen, onToggleMenu }: HeaderProps) {
  const { t } = useTranslation()
  const { settings } = useSession()
  const { can } = useAccess()
  return (
    <header className={styles.header}>
      <button
        type="button"
        className={styles.hamburger}
        aria-label={t('openMenu')}
        aria-controls="sidebar"
        aria-expanded={isMenuOpen}
        onClick={onToggleMenu}
      >
        <MenuOutlined />
      </button>
      <Link className={styles.logo} to="/" aria-label={settings.INTERFACE.login_title}>
        <Logo image={settings.INTERFACE.logo_index} />
      </Link>
      <div className={styles.left}>
        <OrganizationSelect />
        <ViewWords />
      </div>
      <div className={styles.right}>
        <SiteMessagesBell />
        {can('rbac.view_webterminal') && (
          <a
            className={styles.tool}
            href="/luna/"
            target="_blank"
            rel="noopener"
            title={t('webTerminal')}
            aria-label={t('webTerminal')}
            onClick={(event) => {
              event.currentTarget.href = inSameOrganization(`/luna/?_=${Date.now()}`)
            }}
          >
            <CodeOutlined />
          </a>
        )}
        <TicketsLink />
        {can('settings.view_setting') && (
          <Link
            className={styles.tool}
            to="/settings"
            title={t('viewSettings')}
            aria-label={t('viewSettings')}
          >
            <SettingOutlined />
          </Link>
        )}
        <HelpMenu />
        <DisplayMenu />
        <AccountMenu />
      </div>
    </header>
  )
}
