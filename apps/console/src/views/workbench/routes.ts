import { CodeOutlined, DesktopOutlined, HomeOutlined } from '@ant-design/icons'
import { inSameOrganization } from '../../kit/routes/navigation.tsx'
import { route } from '../../kit/routes/route.ts'

export default route({
  path: 'workbench',
  title: 'viewWorkbench',
  children: [
    { path: 'home', title: 'overview', icon: HomeOutlined, component: () => import('./home.tsx') },
    {
      path: 'assets',
      title: 'myAssets',
      icon: DesktopOutlined,
      permission: 'perms.view_myassets',
      component: () => import('./my-assets.tsx'),
    },
    {
      path: 'terminal',
      title: 'webTerminal',
      icon: CodeOutlined,
      permission: 'rbac.view_webterminal',
      href: () => inSameOrganization(`/luna/?_=${Date.now()}`),
    },
  ],
})
