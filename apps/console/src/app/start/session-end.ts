let ended = false
const listeners = new Set<() => void>()

/** Tells the page that the server no longer knows this session. What is typed stays in view. */
export function endSession(): void {
  ended = true
  for (const listener of listeners) listener()
}

export function hasSessionEnded(): boolean {
  return ended
}

export function subscribeToSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
