import { lazy, Suspense, useSyncExternalStore } from 'react'
import { hasSessionEnded, subscribeToSessionEnd } from '../start/session-end.ts'

const SessionEndedDialog = lazy(() => import('./session-ended.tsx'))

/** Says that the login has ended, once the server has said so. */
export function SessionEndDialog() {
  const hasEnded = useSyncExternalStore(subscribeToSessionEnd, hasSessionEnded)
  return hasEnded ? (
    <Suspense>
      <SessionEndedDialog />
    </Suspense>
  ) : null
}
