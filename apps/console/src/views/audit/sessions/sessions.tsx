import { Session } from '@sallyport/contract/resources/terminal'
import dayjs from 'dayjs'
import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import type { Row } from '../../../kit/api/resource.ts'
import { parseDate } from '../../../kit/dates/dates.ts'
import { DetailPage, type DetailTab } from '../../../kit/detail/detail-page.tsx'
import type { ColumnSpec } from '../../../kit/list/columns.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { Tabs } from '../../../kit/tabs/tabs.tsx'
import { useMessages } from '../../../kit/text.ts'
import { readOnly } from '../read-only.ts'
import { showDuration } from './duration.ts'
import { useSessionActions } from './session-actions.ts'
import { openMonitor, replayAddress } from './session-windows.ts'

const SessionInfo = lazy(() => import('./session-info.tsx'))
const SessionCommands = lazy(() => import('./session-commands.tsx'))

const onlineRefreshMs = 5000
const paths = screenPaths('/audit/sessions/sessions')

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
  user: { render: (row) => <Link to={paths.detail(row.id)}>{String(row['user'])}</Link> },
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
  const actions = useSessionActions()
  return (
    <ResourceList
      resource={Session}
      query={{ is_finished: 0 }}
      can={readOnly}
      inAddress={false}
      refreshMs={onlineRefreshMs}
      exclude={['id']}
      defaultColumns={[...common, 'duration']}
      searchExclude={['is_finished']}
      cells={cells}
      bulkActions={[
        {
          name: 'terminate',
          title: text('terminateSelected'),
          danger: true,
          hidden: !actions.mayTerminate,
          run: ({ rows, clear }) => actions.terminate(rows, clear),
        },
      ]}
      rowActions={[
        {
          name: 'terminate',
          title: text('terminate'),
          danger: true,
          disabled: (row) => !actions.canTerminate(row),
          run: (row) => actions.terminate([row]),
        },
        {
          name: 'monitor',
          title: text('monitor'),
          disabled: (row) => !actions.canMonitor(row),
          run: (row) => openMonitor(String(row.id)),
        },
      ]}
    />
  )
}

function EndedSessions() {
  const text = useMessages()
  const actions = useSessionActions()
  return (
    <ResourceList
      resource={Session}
      query={{ is_finished: 1 }}
      can={readOnly}
      inAddress={false}
      dateRange
      exclude={['id']}
      defaultColumns={[...common, 'duration', 'end_reason']}
      searchExclude={['is_finished']}
      cells={cells}
      rowActions={[
        {
          name: 'replay',
          title: text('replay'),
          disabled: (row) => !actions.canReplay(row),
          run: (row) => window.open(replayAddress(String(row.id)), '_blank', 'noopener'),
        },
        {
          name: 'download',
          title: text('download'),
          disabled: (row) => !actions.canDownload(row),
          run: actions.download,
        },
      ]}
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

const tabs: readonly DetailTab[] = [
  { name: 'SessionDetailInfo', title: 'basicInformation', content: (row) => <SessionInfo row={row} /> },
  {
    name: 'SessionCommands',
    title: 'commands',
    permission: 'terminal.view_command',
    content: (row) => <SessionCommands sessionId={row.id} />,
  },
]

function SessionDetail() {
  return (
    <Suspense fallback={<Page>{null}</Page>}>
      <DetailPage
        resource={Session}
        can={{ update: false, remove: false, activity: false }}
        tabs={tabs}
        refreshMs={onlineRefreshMs}
      />
    </Suspense>
  )
}

export default { list: Sessions, detail: SessionDetail }
