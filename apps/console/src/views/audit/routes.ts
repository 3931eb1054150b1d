import { FileTextOutlined, HistoryOutlined } from '@ant-design/icons'
import { resourceRoutes, route } from '../../kit/routes/route.ts'

export default route({
  path: 'audit',
  title: 'viewAudit',
  children: [
    {
      path: 'sessions',
      title: 'sessionAudit',
      icon: HistoryOutlined,
      children: [
        resourceRoutes({
          path: 'sessions',
          title: 'sessionList',
          singular: 'session',
          about: 'terminal.session',
          only: ['list', 'detail'],
          screens: () => import('./sessions/sessions.tsx'),
        }),
        resourceRoutes({
          path: 'command',
          title: 'commands',
          singular: 'command',
          about: 'terminal.command',
          only: ['list'],
          screens: () => import('./sessions/commands.tsx'),
        }),
      ],
    },
    {
      path: 'audits',
      title: 'logAudit',
      icon: FileTextOutlined,
      children: [
        resourceRoutes({
          path: 'login-logs',
          title: 'loginLogs',
          singular: 'loginLog',
          about: 'audits.userloginlog',
          only: ['list', 'detail'],
          screens: () => import('./logs/login-logs.tsx'),
        }),
        resourceRoutes({
          path: 'operate-logs',
          title: 'operateLogs',
          singular: 'operateLog',
          about: 'audits.operatelog',
          only: ['list', 'detail'],
          screens: () => import('./logs/operate-logs.tsx'),
        }),
        resourceRoutes({
          path: 'password-change-log',
          title: 'passwordChangeLogs',
          singular: 'passwordChangeLog',
          about: 'audits.passwordchangelog',
          only: ['list'],
          screens: () => import('./logs/password-change-logs.tsx'),
        }),
      ],
    },
  ],
})
