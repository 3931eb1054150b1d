import { ApplyCommandTicket } from '@sallyport/contract/resources/tickets'
import { facts } from '../../kit/detail/parts.tsx'
import { Link } from '../../kit/routes/navigation.tsx'
import { AccountName } from '../../asset-words/account-text.tsx'
import { useAccess } from '../../kit/access/access.ts'
import { shown, TicketDetail } from './ticket-detail.tsx'
import styles from './tickets.module.css'

/** Leads to the session, for who may see it. */
function SessionLink({ ticket: { apply_from_session: session, org_id } }: { ticket: ApplyCommandTicket }) {
  const { can } = useAccess()
  if (session === null) return '-'
  const id = session.id.slice(0, 8)
  const to = `/audit/sessions/sessions/${session.id}?oid=${org_id}`
  return can('terminal.view_session') ? <Link to={to}>{id}</Link> : id
}

const info = facts(ApplyCommandTicket, {
  fields: [
    'serial_num',
    'status',
    'type',
    'applicant',
    'org_name',
    'apply_run_user',
    'apply_run_asset',
    'apply_run_account',
    'apply_run_command',
    'apply_from_session',
    'apply_from_cmd_filter_acl',
    'date_created',
    'comment',
  ],
  values: {
    ...shown,
    apply_run_user: (row) => row.rel_snapshot['apply_run_user'] ?? '',
    apply_run_account: (row) => <AccountName row={{ account: row.apply_run_account }} />,
    apply_run_command: ({ apply_run_command: command }) => <code className={styles.command}>{command}</code>,
    apply_from_session: (row) => <SessionLink ticket={row} />,
    apply_from_cmd_filter_acl: (row) => row.apply_from_cmd_filter_acl?.name ?? '',
  },
})

/** A command that somebody has to approve. */
export default function CommandConfirm() {
  return <TicketDetail resource={ApplyCommandTicket} info={info} />
}
