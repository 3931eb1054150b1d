import { OperateLog } from '@sallyport/contract/resources/audits'
import type { Action } from '../../../kit/actions/action.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { detailPath } from '../../../kit/api/resource.ts'
import { facts, quick } from '../../../kit/detail/parts.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { screens } from '../../../kit/screens/screens.tsx'

const paths = screenPaths('/audit/audits/operate-logs')

const DiffDialog = lazyPart(async () => ({
  default: (await import('../../../kit/detail/diff-dialog.tsx')).DiffDialog,
}))

const changes: Action<OperateLog> = {
  name: 'view',
  title: 'audit:viewChanges',
  when: (row) => row.has_changes,
  dialog: (row, close) => (
    <DiffDialog
      title={row.summary}
      address={`${detailPath(OperateLog.path, row.id)}?type=action_detail`}
      onClose={close}
    />
  ),
}

export default screens(OperateLog, {
  list: {
    can: 'read',
    columns: ['summary', 'user', 'action', 'resource_type', 'resource', 'remote_addr', 'datetime', 'id'],
    dateRange: true,
    defaultColumns: ['summary', 'remote_addr', 'datetime'],
    minColumns: ['summary'],
    cells: {
      summary: { wrap: true, render: (row) => <Link to={paths.detail(row.id)}>{row.summary}</Link> },
      resource_type: { widthPx: 180 },
      remote_addr: { widthPx: 140 },
    },
    rowActions: [changes],
  },
  detail: {
    can: { update: false, remove: false, activity: false },
    called: (row) => row.summary,
    tabs: [
      {
        name: 'OperateLogInfo',
        title: 'basicInformation',
        main: facts(OperateLog, {
          fields: ['id', 'summary', 'user', 'action', 'resource_type', 'resource', 'remote_addr', 'datetime'],
        }),
        side: quick(OperateLog, { title: 'kit:actions', actions: [changes] }),
      },
    ],
  },
})
