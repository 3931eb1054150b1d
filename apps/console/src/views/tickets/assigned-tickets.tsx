import { useSession } from '../../kit/session/session.ts'
import { TicketList } from './ticket-list.tsx'

/** What others ask of the person. */
export default function AssignedTickets() {
  const { profile } = useSession()
  return <TicketList query={{ assignees__id: profile.id }} />
}
