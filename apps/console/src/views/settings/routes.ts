import {
  ApartmentOutlined,
  BellOutlined,
  ClearOutlined,
  MailOutlined,
  SafetyCertificateOutlined,
  SafetyOutlined,
  SettingOutlined,
  SkinOutlined,
} from '@ant-design/icons'
import { resourceRoutes, route } from '../../kit/routes/route.ts'

export default route({
  path: 'settings',
  title: 'viewSettings',
  showOrganization: false,
  children: [
    {
      path: 'basic',
      title: 'settingsBasic',
      icon: SettingOutlined,
      permission: 'settings.view_setting',
      component: () => import('./basic.tsx'),
    },
    {
      path: 'email',
      title: 'emailSettings',
      icon: MailOutlined,
      permission: 'settings.change_email',
      component: () => import('./email.tsx'),
    },
    {
      path: 'message',
      title: 'messageSettings',
      icon: BellOutlined,
      permission: 'settings.change_systemmsgsubscription',
      component: () => import('./message-subscription.tsx'),
    },
    {
      path: 'security',
      title: 'settingsSecurity',
      icon: SafetyOutlined,
      permission: 'settings.change_security',
      component: () => import('./security.tsx'),
    },
    {
      path: 'clean',
      title: 'settingsClean',
      icon: ClearOutlined,
      permission: 'settings.change_clean',
      component: () => import('./clean.tsx'),
    },
    {
      path: 'interface',
      title: 'settingsInterface',
      icon: SkinOutlined,
      permission: 'settings.change_interface',
      licensed: true,
      component: () => import('./interface.tsx'),
    },
    resourceRoutes({
      path: 'orgs',
      title: 'organizations',
      singular: 'organizationOne',
      icon: ApartmentOutlined,
      about: 'orgs.organization',
      licensed: true,
      screens: () => import('./organizations.tsx'),
    }),
    {
      path: 'license',
      title: 'settingsLicense',
      icon: SafetyCertificateOutlined,
      permission: 'settings.change_license',
      component: () => import('./license.tsx'),
    },
  ],
})
