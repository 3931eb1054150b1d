import { FileDoneOutlined } from '@ant-design/icons'
import { Ticket } from '@sallyport/contract/resources/tickets'
import { useTranslation } from 'react-i18next'
import { useAccess } from '../../kit/access/access.ts'
import { useList } from '../../kit/api/hooks.ts'
import { Link } from '../../kit/routes/navigation.tsx'
import { useSession } from '../../kit/session/session.ts'
import header from './header.module.css'
import styles from './site-messages/site-messages.module.css'

const askEveryMs = 30_000
const mostShown = 99

/** The way to the tickets that wait for this person, with how many there are. */
export function TicketsLink() {
  const { settings } = useSession()
  const { can } = useAccess()
  const isThere = settings.TICKETS_ENABLED && settings.XPACK_LICENSE_IS_VALID && can('tickets.view_ticket')
  return isThere && <CountedLink />
}

function CountedLink() {
  const { t } = useTranslation()
  const { profile } = useSession()
  const waiting = { assignees__id: profile.id, state: 'pending', limit: 1 }
  const count = useList(Ticket.path, waiting, { refreshMs: askEveryMs }).data?.count ?? 0
  const label = count > 0 ? t('ticketsOpen', { count }) : t('viewTickets')
  return (
    <Link className={header.tool} to="/tickets/assigned-tickets" title={label} aria-label={label}>
      <span className={styles.bell}>
        <FileDoneOutlined />
        {count > 0 && (
          <span className={styles.badge} aria-hidden>
            {count > mostShown ? `${mostShown}+` : count}
          </span>
        )}
      </span>
    </Link>
  )
}
