import { inSameOrganization } from '../routes/navigation.tsx'

const monitorWindow = 'width=800,height=600,noopener'

/** Opens the replay of a session in a tab of its own, just before a moment (unix seconds), else at its beginning. */
export function openReplay(sessionId: string, timestamp?: number): void {
  const moment = timestamp === undefined ? '' : `?timestamp=${timestamp}`
  const address = `/luna/replay/${encodeURIComponent(sessionId)}${moment}`
  window.open(inSameOrganization(address), '_blank', 'noopener')
}

/** Opens the live view of a session in a window of its own; of one that came of a ticket for whoever was asked about it. */
export function openMonitor(sessionId: string, ticketId?: string): void {
  const of = ticketId === undefined ? '' : `?ticket=${encodeURIComponent(ticketId)}`
  const address = `/luna/monitor/${encodeURIComponent(sessionId)}${of}`
  window.open(inSameOrganization(address), '_blank', monitorWindow)
}
