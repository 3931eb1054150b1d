/** `dismissed`: the person closed the message and goes on looking; the next refused step shows it again. */
type SessionState = 'live' | 'ended' | 'dismissed'

let state: SessionState = 'live'
const listeners = new Set<() => void>()

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Tells the page that the server no longer knows this session. What is typed stays in view. */
export const endSession = (): void => change('ended')

export const dismissSessionEnd = (): void => change('dismissed')

/** The person has logged in again, so the page goes on as it stands. */
export const resumeSession = (): void => change('live')

export const sessionState = (): SessionState => state

export function subscribeToSessionState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
