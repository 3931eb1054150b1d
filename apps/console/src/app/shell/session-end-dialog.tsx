import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import { sessionState, subscribeToSessionState } from '../../kit/session/login-state.ts'

/** Its code. */
export const sessionEndDialog = () => import('./session-ended.tsx')

const SessionEndedDialog = lazyPart(sessionEndDialog)

/** Says that the login has ended, once the server has said so. */
export function SessionEndDialog() {
  const state = useSyncExternalStore(subscribeToSessionState, sessionState)
  return state === 'ended' ? (
    <Suspense>
      <SessionEndedDialog />
    </Suspense>
  ) : null
}
