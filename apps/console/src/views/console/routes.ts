import { HddOutlined, KeyOutlined, SafetyCertificateOutlined, TeamOutlined } from '@ant-design/icons'
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
          about: 'users.user',
          screens: () => import('./users/users.tsx'),
        }),
        resourceRoutes({
          path: 'users/user-acl',
          title: 'loginRules',
          singular: 'loginRule',
          about: 'acls.loginacl',
          hidden: true,
          menuAddress: '/console/users/users',
          screens: () => import('./users/login-rules.tsx'),
        }),
        resourceRoutes({
          path: 'groups',
          title: 'userGroups',
          singular: 'userGroup',
          about: 'users.usergroup',
          screens: () => import('./users/groups.tsx'),
        }),
        {
          path: 'roles',
          title: 'roles',
          licensed: true,
          permission: [['rbac.view_systemrole', 'rbac.view_orgrole']],
          children: [
            {
              path: '',
              permission: [['rbac.view_systemrole', 'rbac.view_orgrole']],
              title: 'roles',
              component: () => import('./users/roles.tsx'),
            },
            {
              path: 'create',
              title: 'titleCreate',
              titleName: 'role',
              permission: [['rbac.add_systemrole', 'rbac.add_orgrole']],
              component: async () => ({ default: (await import('./users/roles.tsx')).RoleCreate }),
            },
            {
              path: ':id/update',
              title: 'titleUpdate',
              titleName: 'role',
              permission: [['rbac.change_systemrole', 'rbac.change_orgrole']],
              component: async () => ({ default: (await import('./users/roles.tsx')).RoleUpdate }),
            },
            {
              path: ':id',
              title: 'titleDetail',
              titleName: 'role',
              permission: [['rbac.view_systemrole', 'rbac.view_orgrole']],
              component: async () => ({ default: (await import('./users/roles.tsx')).RoleDetail }),
            },
          ],
        },
      ],
    },
    {
      path: 'assets',
      title: 'assets',
      icon: HddOutlined,
      children: [
        resourceRoutes({
          path: 'assets',
          title: 'assetList',
          singular: 'asset',
          about: 'assets.asset',
          only: ['list', 'detail'],
          screens: () => import('./assets/assets.tsx'),
        }),
        resourceRoutes({
          path: 'hosts',
          title: 'hostList',
          singular: 'host',
          about: 'assets.asset',
          only: ['create', 'update'],
          menuAddress: '/console/assets/assets',
          screens: () => import('./assets/hosts.tsx'),
        }),
        resourceRoutes({
          path: 'platforms',
          title: 'platforms',
          singular: 'platform',
          about: 'assets.platform',
          screens: () => import('./assets/platforms.tsx'),
        }),
      ],
    },
    {
      path: 'accounts',
      title: 'accounts',
      icon: KeyOutlined,
      children: [
        resourceRoutes({
          path: 'accounts',
          title: 'assetAccounts',
          singular: 'account',
          about: 'accounts.account',
          only: ['list', 'detail'],
          screens: () => import('./accounts/accounts.tsx'),
        }),
      ],
    },
    {
      path: 'perms',
      title: 'permissions',
      icon: SafetyCertificateOutlined,
      children: [
        resourceRoutes({
          path: 'asset-permissions',
          title: 'assetPermissions',
          singular: 'assetPermission',
          about: 'perms.assetpermission',
          screens: () => import('./perms/permissions.tsx'),
        }),
      ],
    },
  ],
})
