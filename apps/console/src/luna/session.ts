import { detailUrl } from '@sallyport/contract/resource/resource'
import { TerminalTask } from '@sallyport/contract/resources/components'
import { Session } from '@sallyport/contract/resources/terminal'
import { TicketSessions } from '@sallyport/contract/resources/ticket-sessions'
import { useQuery } from '@tanstack/react-query'
import { call } from '../kit/api/call.ts'
import { api } from '../kit/api/client.ts'

/** `ticket` of the address: the one it came of, whose reviewers see it without further rights. */
const ticketHere = () => new URLSearchParams(location.search).get('ticket')

export const useSession = (id: string) =>
  useQuery({
    queryKey: ['session', id],
    queryFn: ({ signal }) => {
      const ticket = ticketHere()
      return ticket === null
        ? api.get<Session>(detailUrl(Session, id), { signal })
        : call(TicketSessions, 'session', { id: ticket }, { signal })
    },
  })

/** Asks for a session to be ended, for a reason its person is told; false when it had ended already. */
export async function terminateSession(id: string, reason: string): Promise<boolean> {
  const { ok } = await call(TerminalTask, 'killSessions', { body: { sessions: [id], reason } })
  return ok.includes(id)
}
