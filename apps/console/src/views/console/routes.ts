import { HddOutlined, KeyOutlined, SafetyCertificateOutlined, TeamOutlined } from '@ant-design/icons'
import { resourceRoutes, type ResourceRoutesDeclaration, route } from '../../kit/routes/route.ts'

/** What there is of assets beside their common list: reached from it, and marked as it in the menu. */
const ofCategory = (declaration: Omit<ResourceRoutesDeclaration, 'about'>) =>
  resourceRoutes({
    about: 'assets.asset',
    only: ['list', 'create', 'update'],
    hidden: true,
    menuAddress: '/console/assets/assets',
    ...declaration,
  })

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
        ofCategory({
          path: 'hosts',
          title: 'hosts',
          singular: 'host',
          screens: async () => ({ default: (await import('./assets/by-category.tsx')).hosts }),
        }),
        ofCategory({
          path: 'devices',
          title: 'devices',
          singular: 'device',
          screens: async () => ({ default: (await import('./assets/by-category.tsx')).devices }),
        }),
        ofCategory({
          path: 'databases',
          title: 'databases',
          singular: 'database',
          screens: async () => ({ default: (await import('./assets/by-category.tsx')).databases }),
        }),
        ofCategory({
          path: 'clouds',
          title: 'clouds',
          singular: 'cloud',
          screens: async () => ({ default: (await import('./assets/by-category.tsx')).clouds }),
        }),
        ofCategory({
          path: 'webs',
          title: 'webs',
          singular: 'web',
          screens: async () => ({ default: (await import('./assets/by-category.tsx')).webs }),
        }),
        ofCategory({
          path: 'assets/detail',
          title: 'hardware',
          singular: 'moreInformation',
          only: ['update'],
          screens: () => import('./assets/more-information.tsx'),
        }),
        resourceRoutes({
          path: 'domains',
          title: 'domains',
          singular: 'domain',
          about: 'assets.domain',
          screens: () => import('./assets/domains.tsx'),
        }),
        resourceRoutes({
          path: 'gateways',
          title: 'gateways',
          singular: 'gateway',
          about: 'assets.gateway',
          only: ['create', 'update'],
          menuAddress: '/console/assets/domains',
          screens: () => import('./assets/gateways.tsx'),
        }),
        resourceRoutes({
          path: 'platforms',
          title: 'platforms',
          singular: 'platform',
          about: 'assets.platform',
          screens: () => import('./assets/platforms.tsx'),
        }),
        resourceRoutes({
          path: 'labels',
          title: 'labelList',
          singular: 'label',
          about: 'assets.label',
          only: ['list', 'create', 'update'],
          screens: () => import('./assets/label-screens.tsx'),
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
        resourceRoutes({
          path: 'account-template',
          title: 'accountTemplates',
          singular: 'accountTemplate',
          about: 'accounts.accounttemplate',
          screens: () => import('./accounts/templates.tsx'),
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
        resourceRoutes({
          path: 'host-acls',
          title: 'assetLoginRules',
          singular: 'assetLoginRule',
          about: 'acls.loginassetacl',
          licensed: true,
          screens: () => import('./perms/host-acls.tsx'),
        }),
        resourceRoutes({
          path: 'cmd-acls',
          title: 'commandFilters',
          singular: 'commandFilter',
          about: 'acls.commandfilteracl',
          screens: () => import('./perms/command-filters.tsx'),
        }),
        resourceRoutes({
          path: 'cmd-groups',
          title: 'commandGroups',
          singular: 'commandGroup',
          about: 'acls.commandgroup',
          hidden: true,
          menuAddress: '/console/perms/cmd-acls',
          screens: () => import('./perms/command-groups.tsx'),
        }),
      ],
    },
  ],
})
