import { Session } from '@sallyport/contract/resources/terminal'
import { useQueryClient } from '@tanstack/react-query'
import dayjs from 'dayjs'
import { useAccess } from '../../../kit/access/access.ts'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import type { Row } from '../../../kit/api/resource.ts'
import { ask } from '../../../kit/confirm/ask.ts'
import { parseDate } from '../../../kit/dates/dates.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import type { ColumnSpec } from '../../../kit/list/columns.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import type { RowAction } from '../../../kit/list/row-actions.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { Tabs } from '../../../kit/tabs/tabs.tsx'
import { useMessages } from '../../../kit/text.ts'
import { readOnly } from '../read-only.ts'
import { showDuration } from './duration.ts'
import { openMonitor, replayAddress } from './session-windows.ts'

const onlineRefreshMs = 5000

const common = [
  'user',
  'asset',
  'account',
  'remote_addr',
  'protocol',
  'login_from',
  'command_amount',
  'date_start',
]

const cells: Record<string, ColumnSpec> = {
  asset: { label: 'target' },
  command_amount: { label: 'commands', widthPx: 90 },
  protocol: { widthPx: 80 },
  duration: { label: 'duration', widthPx: 80, render: durationOf },
}

function durationOf(row: Row) {
  const start = parseDate(row['date_start'])
  return start ? showDuration(start, parseDate(row['date_end']) ?? dayjs()) : '-'
}

function OnlineSessions() {
  const text = useMessages()
  const { can } = useAccess()
  const client = useQueryClient()
  const terminate = (row: Row) =>
    ask({
      title: text('terminateQuestion', { user: String(row['user']), asset: String(row['asset']) }),
      confirmText: text('terminate'),
      danger: true,
      onConfirm: async () => {
        await api.post('terminal/tasks/kill-session/', [row.id])
        toast.success(text('terminateSent'))
        await client.invalidateQueries({ queryKey: queryKeys.lists(Session.path) })
      },
    })
  const rowActions: RowAction[] = [
    {
      name: 'terminate',
      title: text('terminate'),
      danger: true,
      disabled: (row) => row['can_terminate'] !== true || !can('terminal.terminate_session'),
      run: terminate,
    },
    {
      name: 'monitor',
      title: text('monitor'),
      disabled: (row) => row['can_join'] !== true || !can('terminal.monitor_session'),
      run: (row) => openMonitor(String(row.id)),
    },
  ]
  return (
    <ResourceList
      resource={Session}
      query={{ is_finished: 0 }}
      can={readOnly}
      inAddress={false}
      refreshMs={onlineRefreshMs}
      detailTo={false}
      defaultColumns={[...common, 'duration']}
      searchExclude={['is_finished']}
      cells={cells}
      rowActions={rowActions}
    />
  )
}

function EndedSessions() {
  const text = useMessages()
  const { can } = useAccess()
  const rowActions: RowAction[] = [
    {
      name: 'replay',
      title: text('replay'),
      disabled: (row) => row['can_replay'] !== true || !can('terminal.view_sessionreplay'),
      run: (row) => window.open(replayAddress(String(row.id)), '_blank', 'noopener'),
    },
    {
      name: 'download',
      title: text('download'),
      disabled: (row) => row['can_replay'] !== true || !can('terminal.download_sessionreplay'),
      run: (row) => location.assign(`/api/v1/terminal/sessions/${row.id}/replay/download/`),
    },
  ]
  return (
    <ResourceList
      resource={Session}
      query={{ is_finished: 1 }}
      can={readOnly}
      inAddress={false}
      dateRange
      detailTo={false}
      defaultColumns={[...common, 'duration', 'end_reason']}
      searchExclude={['is_finished']}
      cells={cells}
      rowActions={rowActions}
    />
  )
}

function Sessions() {
  const text = useMessages()
  return (
    <Page>
      <Tabs
        tabs={[
          { name: 'OnlineList', title: text('sessionsOnline'), content: <OnlineSessions /> },
          { name: 'OfflineList', title: text('sessionsEnded'), content: <EndedSessions /> },
        ]}
      />
    </Page>
  )
}

export default { list: Sessions }
