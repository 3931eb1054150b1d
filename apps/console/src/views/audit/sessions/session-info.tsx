import { Session } from '@sallyport/contract/resources/terminal'
import { listPath, type Row } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { type QuickAction, QuickActions } from '../../../kit/detail/quick-actions.tsx'
import { useMessages } from '../../../kit/text.ts'
import { useSessionActions } from './session-actions.ts'
import { openMonitor, replayAddress } from './session-windows.ts'

const always = ['user', 'asset', 'account', 'protocol', 'login_from', 'remote_addr', 'date_start', 'date_end']

/** A session: who, where and until when, with what can be done while it runs and afterwards. */
export default function SessionInfo({ row }: { row: Row }) {
  const text = useMessages()
  const may = useSessionActions()
  const isOver = row['is_finished'] === true
  const button = (title: string, enabled: boolean, run: () => void, danger = false): QuickAction => ({
    type: 'button',
    title,
    label: title,
    danger,
    disabled: !enabled,
    run,
  })
  const actions = isOver
    ? [
        button(text('replay'), may.canReplay(row), () => {
          window.open(replayAddress(String(row.id)), '_blank', 'noopener')
        }),
        button(text('download'), may.canDownload(row), () => may.download(row)),
      ]
    : [
        button(text('terminate'), may.canTerminate(row), () => may.terminate([row]), true),
        button(text('monitor'), may.canMonitor(row), () => openMonitor(String(row.id))),
      ]
  return (
    <Columns
      main={
        <DetailCard
          row={row}
          path={listPath(Session.path)}
          fields={isOver ? [...always, 'end_reason', 'end_detail'] : always}
        />
      }
      side={<QuickActions title={text('sessionActions')} actions={actions} />}
    />
  )
}
