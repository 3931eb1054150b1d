import { DownOutlined, MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useSession } from '../../kit/session/session.ts'
import { useCurrentRoute } from '../router/current-route.ts'
import { activeAddress, menuOf, type MenuEntry } from '../router/menu.ts'
import { tableOf } from '../router/tables.ts'
import { OrganizationSelect } from './organization-select.tsx'
import type { SidebarState } from './sidebar-state.ts'
import styles from './sidebar.module.css'
import { ViewSwitcher } from './view-switcher.tsx'
import { Link } from '../../kit/routes/navigation.tsx'

/** The menus that stand open until the person opens another. */
const openAtFirst = new Set(['/audit/sessions', '/audit/audits', '/workbench/ops'])

export function Sidebar({ state }: { state: SidebarState }) {
  const { t } = useTranslation()
  const session = useSession()
  const { pathname } = useLocation()
  const panel = useRef<HTMLElement>(null)
  const table = tableOf(session.view)
  const menu = table === undefined ? [] : menuOf(table, session)
  const active = activeAddress(menu, useCurrentRoute()?.menuAddress ?? pathname)
  const { isOpen, isDrawer, toggle, close } = state

  useEffect(() => {
    if (!isDrawer || !isOpen) return undefined
    panel.current?.querySelector<HTMLElement>('a, button')?.focus()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isDrawer, isOpen, close])

  return (
    <>
      {isDrawer && isOpen && <div className={styles.mask} aria-hidden onClick={close} />}
      <aside
        ref={panel}
        id="sidebar"
        className={styles.sidebar}
        data-open={isOpen}
        data-drawer={isDrawer}
        inert={isDrawer && !isOpen}
      >
        {isDrawer && (
          <div className={styles.organization}>
            <OrganizationSelect />
          </div>
        )}
        <ViewSwitcher isWide={isOpen} isDrawer={isDrawer} />
        <nav className={styles.nav} aria-label={t('mainMenu')}>
          <MenuList key={session.view} menu={menu} active={active} isWide={isOpen} />
        </nav>
        {!isDrawer && (
          <button
            type="button"
            className={styles.fold}
            onClick={toggle}
            aria-expanded={isOpen}
            aria-controls="sidebar"
            aria-label={t(isOpen ? 'collapseMenu' : 'expandMenu')}
          >
            {isOpen ? <MenuFoldOutlined /> : <MenuUnfoldOutlined />}
          </button>
        )}
      </aside>
    </>
  )
}

interface MenuListProps {
  menu: readonly MenuEntry[]
  active: string | undefined
  isWide: boolean
}

/** Groups that stand open at first, or that of the page shown; opening another one closes them. */
function MenuList({ menu, active, isWide }: MenuListProps) {
  const { t } = useTranslation()
  const groupOfPage = menu.find(({ children }) => children.some(({ address }) => address === active))?.address
  const [opened, setOpened] = useState<ReadonlySet<string>>(openAtFirst)
  const [followed, setFollowed] = useState<string>()
  if (groupOfPage !== followed) {
    setFollowed(groupOfPage)
    if (groupOfPage !== undefined && !opened.has(groupOfPage)) setOpened(new Set([groupOfPage]))
  }
  const toggle = (address: string) =>
    setOpened(
      opened.has(address) ? new Set([...opened].filter((other) => other !== address)) : new Set([address]),
    )
  return (
    <ul className={styles.list}>
      {menu.map((entry) =>
        entry.children.length === 0 ? (
          <li key={entry.address} className={styles.item}>
            <MenuLink entry={entry} active={active} label={t(entry.title)} isWide={isWide} />
          </li>
        ) : (
          <li key={entry.address} className={styles.item} data-group>
            <button
              type="button"
              className={styles.link}
              aria-expanded={opened.has(entry.address)}
              data-active={groupOfPage === entry.address && !isWide}
              onClick={() => toggle(entry.address)}
            >
              <Icon entry={entry} />
              <span className={styles.label}>{t(entry.title)}</span>
              <DownOutlined className={styles.arrow} aria-hidden />
            </button>
            <div className={styles.children} data-opened={opened.has(entry.address)}>
              <ul className={styles.sublist} aria-label={t(entry.title)}>
                <li className={styles.flyoutTitle} aria-hidden>
                  {t(entry.title)}
                </li>
                {entry.children.map((child) => (
                  <li key={child.address}>
                    <MenuLink entry={child} active={active} label={t(child.title)} isWide isNested />
                  </li>
                ))}
              </ul>
            </div>
          </li>
        ),
      )}
    </ul>
  )
}

interface MenuLinkProps {
  entry: MenuEntry
  active: string | undefined
  label: string
  isWide: boolean
  isNested?: boolean
}

function MenuLink({ entry, active, label, isWide, isNested = false }: MenuLinkProps) {
  const content = (
    <>
      {isNested ? <span className={styles.bullet} aria-hidden /> : <Icon entry={entry} />}
      <span className={styles.label}>{label}</span>
    </>
  )
  const common = {
    className: styles.link,
    'data-nested': isNested,
    title: isWide ? undefined : label,
  }
  const { href } = entry
  if (href) {
    const open = (event: MouseEvent<HTMLAnchorElement>) => {
      event.currentTarget.href = href()
    }
    return (
      <a {...common} href={href()} target="_blank" rel="noopener" onClick={open}>
        {content}
      </a>
    )
  }
  const isActive = entry.address === active
  return (
    <Link {...common} to={entry.address} data-active={isActive} aria-current={isActive ? 'page' : undefined}>
      {content}
    </Link>
  )
}

function Icon({ entry }: { entry: MenuEntry }) {
  const { icon: Glyph } = entry
  return (
    <span className={styles.icon} aria-hidden>
      {Glyph && <Glyph />}
    </span>
  )
}
