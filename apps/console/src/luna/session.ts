import { detailUrl } from '@sallyport/contract/resource/resource'
import { TerminalTask } from '@sallyport/contract/resources/components'
import { Session } from '@sallyport/contract/resources/terminal'
import { useQuery } from '@tanstack/react-query'
import { call } from '../kit/api/call.ts'
import { api } from '../kit/api/client.ts'

export const useSession = (id: string) =>
  useQuery({
    queryKey: ['session', id],
    queryFn: ({ signal }) => api.get<Session>(detailUrl(Session, id), { signal }),
  })

/** Asks for a session to be ended, for a reason its person is told; false when it had ended already. */
export async function terminateSession(id: string, reason: string): Promise<boolean> {
  const { ok } = await call(TerminalTask, 'killSessions', { body: { sessions: [id], reason } })
  return ok.includes(id)
}
