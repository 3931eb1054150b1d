/**
 * How the login of this page's person stands. `dismissed`: it has ended, the person closed the message and goes on looking; the next refused
 * step shows it again. `replaced`: somebody else is logged in, and the page is over.
 */
type LoginState = 'live' | 'ended' | 'dismissed' | 'replaced'

let state: LoginState = 'live'
const listeners = new Set<() => void>()

function change(next: LoginState): void {
  if (state === 'replaced') return
  state = next
  for (const listener of listeners) listener()
}

/** Tells the page that the server no longer knows this session. What is typed stays in view. */
export const endSession = (): void => change('ended')

export const dismissSessionEnd = (): void => change('dismissed')

/** The person has logged in again, so the page goes on as it stands. */
export const resumeSession = (): void => change('live')

/** Somebody else has logged in: nothing is as this page has it any more. */
export const replaceSession = (): void => change('replaced')

export const sessionState = (): LoginState => state

export function subscribeToSessionState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
