import { ApplyLoginTicket } from '@sallyport/contract/resources/tickets'
import { facts } from '../../kit/detail/parts.tsx'
import { shown, TicketDetail } from './ticket-detail.tsx'

const info = facts(ApplyLoginTicket, {
  fields: [
    'serial_num',
    'status',
    'type',
    'applicant',
    'org_name',
    'apply_login_ip',
    'apply_login_city',
    'apply_login_datetime',
    'date_created',
    'comment',
  ],
  values: shown,
})

/** A login that somebody has to confirm. */
export default function LoginConfirm() {
  return <TicketDetail resource={ApplyLoginTicket} info={info} />
}
