import { DownOutlined, UserOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { useSession } from '../../kit/session/session.ts'
import { signOutAddress } from '../addresses.ts'
import { isAllowed } from '../router/resolve.ts'
import { routeAt } from '../router/tables.ts'
import styles from './header.module.css'
import { useGo } from '../../kit/routes/navigation.tsx'

/** The profile pages offered here, as far as they exist for the person. */
const profilePages = ['/profile/info', '/profile/key', '/profile/temp-password', '/profile/connection-token']

export function AccountMenu() {
  const { t } = useTranslation()
  const session = useSession()
  const go = useGo()
  const pages = profilePages.flatMap((address) => {
    const route = routeAt(address)
    if (route === undefined || !isAllowed(route, session)) return []
    if (typeof route.hidden === 'function' && route.hidden(session)) return []
    const label = t(address === '/profile/info' ? 'profile' : route.title)
    return [{ key: address, label, onSelect: () => void go(address) }]
  })
  const { name } = session.profile
  return (
    <MenuButton
      label={t('accountMenu', { name })}
      className={`${styles.tool} ${styles.account}`}
      entries={[
        ...pages,
        ...(pages.length > 0 ? (['divider'] as const) : []),
        { key: 'sign-out', label: t('signOut'), onSelect: () => location.assign(signOutAddress()) },
      ]}
    >
      <UserOutlined />
      <span className={styles.accountName}>{name}</span>
      <DownOutlined className={styles.accountArrow} />
    </MenuButton>
  )
}
