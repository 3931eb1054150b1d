import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { pageScope, useLeave } from './unsaved.ts'

const tabOf = (search: string) => new URLSearchParams(search).get('activeTab')

/** Asks before another page or tab takes the place of one with unsaved work, and before the browser closes it. */
export function LeaveGuard() {
  const leave = useLeave()
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      pageScope.isDirty && (from.pathname !== to.pathname || tabOf(from.search) !== tabOf(to.search)),
  )
  useEffect(() => {
    if (blocker.state === 'blocked') {
      leave(pageScope, blocker.proceed, blocker.reset)
    }
  }, [blocker, leave])
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (pageScope.isDirty) {
        event.preventDefault()
      }
    }
    window.addEventListener('beforeunload', onUnload)
    return () => window.removeEventListener('beforeunload', onUnload)
  }, [])
  return null
}
