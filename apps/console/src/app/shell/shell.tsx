import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { questionDialogs } from '../../kit/confirm/dialogs.ts'
import { fetchWhenIdle } from '../../kit/loading/when-idle.ts'
import { useRouteTitle } from '../../kit/page/route-title.ts'
import { LeaveGuard } from '../../kit/unsaved/leave-guard.tsx'
import { fetchTextFont } from '../../kit/theme/fonts.ts'
import { interfaceTitle } from '../../kit/theme/interface.ts'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import { SessionEndDialog, sessionEndDialog } from './session-end-dialog.tsx'
import { Sidebar } from './sidebar.tsx'
import { useSidebarState } from './sidebar-state.ts'
import styles from './shell.module.css'

/** Header, menu and the page between them. */
export function Shell() {
  const { t } = useTranslation()
  const sidebar = useSidebarState()
  const main = useRef<HTMLElement>(null)
  const title = usePageTitle()
  useFreshPage(main)
  useWhatCanWait()
  return (
    <div className={styles.shell} data-sidebar={sidebar.isOpen ? 'open' : 'closed'}>
      <a
        className={styles.skip}
        href="#content"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        {t('skipToContent')}
      </a>
      <RouteProgress />
      <Header onToggleMenu={sidebar.toggle} isMenuOpen={sidebar.isOpen} />
      <Sidebar state={sidebar} />
      <main id="content" ref={main} className={styles.main} tabIndex={-1}>
        <Notices />
        <Outlet />
      </main>
      <div className={styles.announcer} aria-live="polite">
        {title}
      </div>
      <LeaveGuard />
      <SessionEndDialog />
    </div>
  )
}

/** Page title: the route's, a dash, the platform's. */
function usePageTitle(): string {
  const { t } = useTranslation()
  const title = useRouteTitle().title || t('notFoundTitle')
  useEffect(() => {
    document.title = `${title} - ${interfaceTitle()}`
  }, [title])
  return title
}

/** A new page starts at its top, and the keyboard starts there too. */
function useFreshPage(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [main, pathname])
}

/** The text font, and what has to be there when there is no network, come after the first page has its rows: those a person waits for. */
function useWhatCanWait(): void {
  const client = useQueryClient()
  useEffect(() => {
    const leave = client.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success' || client.isFetching() > 0) return
      leave()
      fetchTextFont()
      fetchWhenIdle([...questionDialogs, sessionEndDialog])
    })
    return leave
  }, [client])
}

function RouteProgress() {
  const isLoading = useNavigation().state !== 'idle'
  return isLoading ? <div className={styles.progress} aria-hidden /> : null
}
