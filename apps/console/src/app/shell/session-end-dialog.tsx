import { lazy, Suspense, useSyncExternalStore } from 'react'
import { sessionState, subscribeToSessionState } from '../start/session-end.ts'

const SessionEndedDialog = lazy(() => import('./session-ended.tsx'))

/** Says that the login has ended, once the server has said so. */
export function SessionEndDialog() {
  const state = useSyncExternalStore(subscribeToSessionState, sessionState)
  return state === 'ended' ? (
    <Suspense>
      <SessionEndedDialog />
    </Suspense>
  ) : null
}
