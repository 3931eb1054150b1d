import { OperateLog } from '@sallyport/contract/resources/audits'
import { lazy, Suspense, useState } from 'react'
import { detailPath, type RowId } from '../../../kit/api/resource.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { useMessages } from '../../../kit/text.ts'
import { readOnly } from '../read-only.ts'

const DiffDialog = lazy(async () => ({
  default: (await import('../../../kit/detail/diff-dialog.tsx')).DiffDialog,
}))

function OperateLogs() {
  const text = useMessages()
  const [shownId, setShownId] = useState<RowId>()
  return (
    <Page>
      <ResourceList
        resource={OperateLog}
        can={readOnly}
        dateRange
        detailTo={false}
        defaultColumns={['user', 'action', 'resource_type', 'resource', 'remote_addr', 'datetime']}
        minColumns={['user', 'resource']}
        cells={{ resource_type: { widthPx: 180 }, remote_addr: { widthPx: 140 } }}
        rowActions={[{ name: 'view', title: text('viewChanges'), run: (row) => setShownId(row.id) }]}
      />
      {shownId !== undefined && (
        <Suspense>
          <DiffDialog
            address={`${detailPath(OperateLog.path, shownId)}?type=action_detail`}
            onClose={() => setShownId(undefined)}
          />
        </Suspense>
      )}
    </Page>
  )
}

export default { list: OperateLogs }
