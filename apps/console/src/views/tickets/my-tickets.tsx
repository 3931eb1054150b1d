import { useSession } from '../../kit/session/session.ts'
import { TicketList } from './ticket-list.tsx'

/** What the person asked for. */
export default function MyTickets() {
  const { profile } = useSession()
  return <TicketList query={{ applicant: profile.id }} />
}
