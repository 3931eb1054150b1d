import { useCallback, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'react-router'
import { readCookie, writeCookie } from '../../kit/api/cookies.ts'

const cookieName = 'sidebarStatus'
const cookieYearSeconds = 365 * 24 * 3600
const narrow = matchMedia('(width < 992px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export interface SidebarState {
  /** Open: 200 px beside the page, or the drawer over it. */
  isOpen: boolean
  isDrawer: boolean
  toggle: () => void
  close: () => void
}

/** Whether the sidebar is open. Beside the page it is remembered; the drawer of a narrow page closes by itself. */
export function useSidebarState(): SidebarState {
  const isDrawer = useSyncExternalStore(subscribe, () => narrow.matches)
  const { pathname } = useLocation()
  const [isWide, setWide] = useState(() => readCookie(cookieName) !== '0')
  const [drawerAt, setDrawerAt] = useState<string | null>(null)
  const isDrawerOpen = drawerAt === pathname

  const close = useCallback(() => setDrawerAt(null), [])
  const toggle = useCallback(() => {
    if (isDrawer) {
      setDrawerAt(isDrawerOpen ? null : pathname)
      return
    }
    writeCookie(cookieName, isWide ? '0' : '1', cookieYearSeconds)
    setWide(!isWide)
  }, [isDrawer, isDrawerOpen, isWide, pathname])

  return { isOpen: isDrawer ? isDrawerOpen : isWide, isDrawer, toggle, close }
}
