import { LoginLog } from '@sallyport/contract/resources/audits'
import { facts } from '../../../kit/detail/parts.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'

const paths = screenPaths('/audit/audits/login-logs')

export default screens(LoginLog, {
  list: {
    can: 'read',
    dateRange: true,
    exclude: ['backend', 'reason'],
    defaultColumns: [
      'username',
      'type',
      'backend_display',
      'ip',
      'city',
      'mfa',
      'reason_display',
      'status',
      'datetime',
    ],
    minColumns: ['username', 'type'],
    cells: {
      username: { render: (row) => <Link to={paths.detail(row.id)}>{row.username}</Link> },
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
