const monitorWindow = 'width=800,height=600,noopener'

/** Where a session is replayed. */
export function replayAddress(sessionId: string): string {
  return `/luna/replay/${encodeURIComponent(sessionId)}`
}

/** Opens the live view of a session in a window of its own. */
export function openMonitor(sessionId: string): void {
  window.open(`/luna/monitor/${encodeURIComponent(sessionId)}`, '_blank', monitorWindow)
}
