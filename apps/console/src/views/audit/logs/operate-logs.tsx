import { OperateLog } from '@sallyport/contract/resources/audits'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { detailPath } from '../../../kit/api/resource.ts'
import { screens } from '../../../kit/screens/screens.tsx'

const DiffDialog = lazyPart(async () => ({
  default: (await import('../../../kit/detail/diff-dialog.tsx')).DiffDialog,
}))

export default screens(OperateLog, {
  list: {
    can: 'read',
    columns: ['summary', 'user', 'action', 'resource_type', 'resource', 'remote_addr', 'datetime', 'id'],
    dateRange: true,
    defaultColumns: ['summary', 'remote_addr', 'datetime'],
    minColumns: ['summary'],
    cells: { summary: { wrap: true }, resource_type: { widthPx: 180 }, remote_addr: { widthPx: 140 } },
    rowActions: [
      {
        name: 'view',
        title: 'viewChanges',
        when: (row) => row.has_changes,
        dialog: (row, close) => (
          <DiffDialog
            title={row.summary}
            address={`${detailPath(OperateLog.path, row.id)}?type=action_detail`}
            onClose={close}
          />
        ),
      },
    ],
  },
})
