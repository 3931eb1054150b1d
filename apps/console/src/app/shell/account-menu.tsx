import { DownOutlined, UserOutlined } from '@ant-design/icons'
import { Dropdown, type MenuProps } from 'antd'
import { useTranslation } from 'react-i18next'
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
    return [{ key: address, label: t(address === '/profile/info' ? 'profile' : route.title) }]
  })
  const items: MenuProps['items'] = [
    ...pages,
    ...(pages.length > 0 ? [{ type: 'divider' as const }] : []),
    { key: 'sign-out', label: t('signOut') },
  ]
  const choose = (key: string) => {
    if (key === 'sign-out') {
      location.assign(signOutAddress())
    } else {
      void go(key)
    }
  }
  const { name } = session.profile
  return (
    <Dropdown trigger={['click']} menu={{ items, onClick: ({ key }) => choose(key) }}>
      <button
        type="button"
        className={`${styles.tool} ${styles.account}`}
        aria-label={t('accountMenu', { name })}
      >
        <UserOutlined />
        <span className={styles.accountName}>{name}</span>
        <DownOutlined className={styles.accountArrow} />
      </button>
    </Dropdown>
  )
}
