import { ApplyLoginAssetTicket } from '@sallyport/contract/resources/tickets'
import { facts } from '../../kit/detail/parts.tsx'
import { shown, TicketDetail } from './ticket-detail.tsx'
import { ticketSession } from './ticket-session.tsx'

const info = facts(ApplyLoginAssetTicket, {
  fields: [
    'serial_num',
    'status',
    'type',
    'applicant',
    'org_name',
    'apply_login_asset',
    'apply_login_account',
    'apply_login_user',
    'date_created',
    'comment',
  ],
  values: {
    ...shown,
    // As they were called when it was asked: they may be gone.
    apply_login_asset: (row) => row.apply_login_asset?.name ?? row.rel_snapshot['apply_login_asset'] ?? '',
    apply_login_user: (row) => row.apply_login_user?.name ?? row.rel_snapshot['apply_login_user'] ?? '',
  },
})

/** A connection to an asset that somebody has to approve. */
export default function LoginAssetConfirm() {
  return <TicketDetail resource={ApplyLoginAssetTicket} info={info} beside={ticketSession} />
}
