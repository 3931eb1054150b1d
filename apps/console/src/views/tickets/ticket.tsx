import { Ticket } from '@sallyport/contract/resources/tickets'
import { Navigate, useParams } from 'react-router'
import { useDetail } from '../../kit/api/hooks.ts'
import { listPath } from '../../kit/api/resource.ts'
import { facts } from '../../kit/detail/parts.tsx'
import { inSameOrganization } from '../../kit/routes/navigation.tsx'
import { isTyped, ticketAddress } from './addresses.ts'
import { shown, TicketDetail } from './ticket-detail.tsx'

const info = facts(Ticket, {
  fields: ['serial_num', 'status', 'type', 'applicant', 'org_name', 'date_created', 'comment'],
  values: shown,
})

/** A ticket of any type, as mails name it: leads on to the screen of its type, where there is one. */
export default function AnyTicket() {
  const { id = '' } = useParams()
  const { data: ticket } = useDetail<Ticket>(listPath(Ticket.path), id)
  return ticket !== undefined && isTyped(ticket.type.value) ? (
    <Navigate replace to={inSameOrganization(ticketAddress(ticket))} />
  ) : (
    <TicketDetail resource={Ticket} info={info} />
  )
}
