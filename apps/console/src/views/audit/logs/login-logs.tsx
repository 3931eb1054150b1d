import { LoginLog } from '@sallyport/contract/resources/audits'
import { facts } from '../../../kit/detail/parts.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { useMessages } from '../../../kit/text.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'

const paths = screenPaths('/audit/audits/login-logs')

function SignIn({ row }: { row: LoginLog }) {
  const text = useMessages()
  const { username: user, ip, reason_display: reason } = row
  return (
    <Link to={paths.detail(row.id)}>
      {row.status.value
        ? text('audit:loginSucceeded', { user, ip })
        : text('audit:loginFailed', { user, ip, reason })}
    </Link>
  )
}

export default screens(LoginLog, {
  list: {
    can: 'read',
    dateRange: true,
    columns: [
      'summary',
      'username',
      'type',
      'backend_display',
      'ip',
      'city',
      'mfa',
      'reason_display',
      'status',
      'user_agent',
      'datetime',
      'id',
    ],
    defaultColumns: ['summary', 'type', 'backend_display', 'city', 'mfa', 'status', 'datetime'],
    minColumns: ['summary', 'type'],
    extra: { summary: { label: 'audit:whatHappened', wrap: true, render: (row) => <SignIn row={row} /> } },
    cells: {
      type: { widthPx: 110 },
      ip: { widthPx: 140 },
    },
  },
  detail: {
    can: { update: false, remove: false, activity: false },
    tabs: [
      {
        name: 'LoginLogInfo',
        title: 'basicInformation',
        main: facts(LoginLog, {
          fields: [
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
          ],
        }),
      },
    ],
  },
})
