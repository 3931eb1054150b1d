import { LoginLog } from '@sallyport/contract/resources/audits'
import { Link, useLocation } from 'react-router'
import { listPath } from '../../../kit/api/resource.ts'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { DetailPage, type DetailTab } from '../../../kit/detail/detail-page.tsx'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { readOnly } from '../read-only.ts'

const shown = [
  'id',
  'username',
  'city',
  'ip',
  'backend_display',
  'reason_display',
  'status',
  'type',
  'user_agent',
  'datetime',
]

function LoginLogs() {
  const { pathname } = useLocation()
  return (
    <Page>
      <ResourceList
        resource={LoginLog}
        can={readOnly}
        dateRange
        exclude={['backend', 'reason']}
        defaultColumns={[
          'username',
          'type',
          'backend_display',
          'ip',
          'city',
          'mfa',
          'reason_display',
          'status',
          'datetime',
        ]}
        minColumns={['username', 'type']}
        cells={{
          username: { render: (row) => <Link to={`${pathname}/${row.id}`}>{String(row['username'])}</Link> },
          type: { widthPx: 110 },
          ip: { widthPx: 140 },
        }}
      />
    </Page>
  )
}

const tabs: readonly DetailTab[] = [
  {
    name: 'LoginLogInfo',
    title: 'basicInformation',
    content: (row) => <DetailCard row={row} path={listPath(LoginLog.path)} fields={shown} />,
  },
]

function LoginLogDetail() {
  return (
    <DetailPage resource={LoginLog} can={{ update: false, remove: false, activity: false }} tabs={tabs} />
  )
}

export default { list: LoginLogs, detail: LoginLogDetail }
