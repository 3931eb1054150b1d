import { Ticket } from '@sallyport/contract/resources/tickets'
import { useEffect } from 'react'
import { useParams } from 'react-router'
import { useDetail } from '../../kit/api/hooks.ts'
import { listPath } from '../../kit/api/resource.ts'
import { facts } from '../../kit/detail/parts.tsx'
import { useGo } from '../../kit/routes/navigation.tsx'
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
  const go = useGo()
  const own = ticket !== undefined && isTyped(ticket.type.value) ? ticketAddress(ticket) : undefined
  useEffect(() => {
    if (own !== undefined) void go(own, { replace: true })
  }, [go, own])
  return own === undefined && <TicketDetail resource={Ticket} info={info} />
}
