import { inSameOrganization } from '../../../kit/routes/navigation.tsx'

const monitorWindow = 'width=800,height=600,noopener'

/** Opens the replay of a session in a tab of its own. */
export function openReplay(sessionId: string): void {
  window.open(inSameOrganization(`/luna/replay/${encodeURIComponent(sessionId)}`), '_blank', 'noopener')
}

/** Opens the live view of a session in a window of its own. */
export function openMonitor(sessionId: string): void {
  window.open(inSameOrganization(`/luna/monitor/${encodeURIComponent(sessionId)}`), '_blank', monitorWindow)
}
