import { TeamOutlined } from '@ant-design/icons'
import { resourceRoutes, route } from '../../kit/routes/route.ts'

export default route({
  path: 'console',
  title: 'viewConsole',
  children: [
    {
      path: 'users',
      title: 'users',
      icon: TeamOutlined,
      children: [
        resourceRoutes({
          path: 'users',
          title: 'userList',
          singular: 'user',
          app: 'users',
          resource: 'user',
          screens: () => import('./users/users.tsx'),
        }),
        resourceRoutes({
          path: 'groups',
          title: 'userGroups',
          singular: 'userGroup',
          app: 'users',
          resource: 'usergroup',
          screens: () => import('./users/groups.tsx'),
        }),
      ],
    },
  ],
})
