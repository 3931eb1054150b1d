import { Command, Session } from '@sallyport/contract/resources/terminal'
import dayjs from 'dayjs'
import { parseDate } from '../../../kit/dates/dates.ts'
import { facts, quick, related } from '../../../kit/detail/parts.tsx'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { Tabs } from '../../../kit/tabs/tabs.tsx'
import { accountCell } from '../../../asset-words/account-text.tsx'
import { PairText } from '../../../kit/values/pair-text.tsx'
import { useMessages } from '../../../kit/text.ts'
import { commandCells, commandUnfolded } from './command-cells.tsx'
import { showDuration } from './duration.ts'
import { download, monitor, replay, terminate } from './session-actions.ts'
import { Link } from '../../../kit/routes/navigation.tsx'

const onlineRefreshMs = 5000
const paths = screenPaths('/audit/sessions/sessions')

/** What both lists of sessions show alike. */
const common = {
  resource: Session,
  can: 'read',
  exclude: ['id'],
  called: ({ user, asset }: Session) => `${user} → ${asset}`,
  searchExclude: ['is_finished'],
  cells: {
    user: {
      render: (row: Session) => (
        <Link to={paths.detail(row.id)}>
          <PairText text={row.user} />
        </Link>
      ),
    },
    asset: { render: ({ asset }: Session) => <PairText text={asset} /> },
    account: { ...accountCell, widthPx: 110 },
    end_reason: { wrap: true, widthPx: 106 },
    command_amount: { label: 'commands', widthPx: 106 },
    date_start: { widthPx: 112 },
    remote_addr: { widthPx: 112 },
    protocol: { widthPx: 80 },
    login_from: { widthPx: 105 },
  },
  extra: { duration: { label: 'audit:duration', widthPx: 70, render: durationOf } },
} as const
const columns = [
  'user',
  'asset',
  'account',
  'remote_addr',
  'protocol',
  'command_amount',
  'date_start',
  'duration',
] as const

// Why it ended tells more than by what it was carried.
const columnsOfEnded = [...columns.filter((name) => name !== 'protocol'), 'end_reason'] as const

function durationOf(row: Session) {
  const start = parseDate(row.date_start)
  return start ? showDuration(start, parseDate(row.date_end) ?? dayjs()) : '-'
}

const factsOfAll = [
  'user',
  'asset',
  'account',
  'protocol',
  'login_from',
  'remote_addr',
  'date_start',
  'date_end',
] as const

const online = { is_finished: false }
const ended = { is_finished: true }

function Sessions() {
  const text = useMessages()
  return (
    <Page>
      <Tabs
        tabs={[
          {
            name: 'OnlineList',
            title: text('audit:sessionsOnline'),
            content: (
              <ResourceList
                {...common}
                query={online}
                refreshMs={onlineRefreshMs}
                defaultColumns={columns}
                bulkActions={[{ ...terminate, permission: 'terminal.terminate_session' }]}
                rowActions={[terminate, monitor]}
              />
            ),
          },
          {
            name: 'OfflineList',
            title: text('audit:sessionsEnded'),
            content: (
              <ResourceList
                {...common}
                query={ended}
                dateRange
                defaultColumns={columnsOfEnded}
                rowActions={[replay, download]}
              />
            ),
          },
        ]}
      />
    </Page>
  )
}

export default screens(Session, {
  page: Sessions,
  detail: {
    can: { update: false, remove: false, activity: false },
    called: ({ user, asset }) => `${user}@${asset}`,
    refreshMs: onlineRefreshMs,
    tabs: [
      {
        name: 'SessionDetailInfo',
        title: 'basicInformation',
        main: facts(Session, {
          fields: (row) => (row.is_finished ? [...factsOfAll, 'end_reason', 'end_detail'] : factsOfAll),
          values: { account: accountCell.render },
        }),
        side: quick(Session, {
          title: 'audit:sessionActions',
          actions: (row) => (row.is_finished ? [replay, download] : [terminate, monitor]),
        }),
      },
      {
        name: 'SessionCommands',
        title: 'commands',
        // In the order they were typed.
        main: related(Command, {
          by: 'session_id',
          columns: ['input', 'risk_level', 'timestamp_display'],
          defaultColumns: ['input', 'timestamp_display'],
          searchExclude: ['session', 'user', 'asset', 'account', 'session_id'],
          cells: commandCells,
          expanded: commandUnfolded,
        }),
      },
    ],
  },
})
