import { useQuery } from '@tanstack/react-query'
import { api } from '../kit/api/client.ts'

/** What these pages read of a session. */
export interface Session {
  id: string
  user: string
  asset: string
  account: string
  protocol: string
  remote_addr: string | null
  date_start: string
  date_end: string | null
  is_finished: boolean
  can_join: boolean
  can_replay: boolean
  can_terminate: boolean
  type: { value: string; label: string }
}

export const useSession = (id: string) =>
  useQuery({
    queryKey: ['session', id],
    queryFn: ({ signal }) => api.get<Session>(`terminal/sessions/${encodeURIComponent(id)}/`, { signal }),
  })

/** Asks for a session to be ended; false when it had ended already. */
export async function terminateSession(id: string): Promise<boolean> {
  const { ok } = await api.post<{ ok: string[] }>('terminal/tasks/kill-session/', [id])
  return ok.includes(id)
}
