import { Session } from '@sallyport/contract/resources/terminal'
import { listPath } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { download, monitor, replay, terminate } from './session-actions.ts'

const always = [
  'user',
  'asset',
  'account',
  'protocol',
  'login_from',
  'remote_addr',
  'date_start',
  'date_end',
] as const

/** A session: who, where and until when, with what can be done while it runs and afterwards. */
export default function SessionInfo({ row }: { row: Session }) {
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(Session.path)}
          fields={row.is_finished ? [...always, 'end_reason', 'end_detail'] : always}
        />
      }
      side={
        <QuickActions
          title="sessionActions"
          resource={Session}
          row={row}
          actions={row.is_finished ? [replay, download] : [terminate, monitor]}
        />
      }
    />
  )
}
