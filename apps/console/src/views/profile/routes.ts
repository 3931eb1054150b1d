import {
  ApiOutlined,
  FieldTimeOutlined,
  IdcardOutlined,
  KeyOutlined,
  SafetyOutlined,
  UserOutlined,
} from '@ant-design/icons'
import { route } from '../../kit/routes/route.ts'

export default route({
  path: 'profile',
  title: 'viewProfile',
  showOrganization: false,
  children: [
    {
      path: 'info',
      title: 'accountInformation',
      icon: IdcardOutlined,
      component: () => import('./info.tsx'),
    },
    {
      path: 'setting',
      title: 'profileSetting',
      icon: UserOutlined,
      component: () => import('./setting.tsx'),
    },
    {
      path: 'login-security',
      title: 'loginSecurity',
      icon: SafetyOutlined,
      component: () => import('./login-security.tsx'),
    },
    {
      path: 'improvement',
      title: 'improvementTitle',
      hidden: true,
      component: () => import('./improvement.tsx'),
    },
    {
      path: 'key',
      title: 'accessKeys',
      icon: ApiOutlined,
      permission: 'authentication.view_accesskey',
      component: () => import('./access-keys.tsx'),
    },
    {
      path: 'temp-password',
      title: 'tempPasswords',
      icon: FieldTimeOutlined,
      permission: 'authentication.view_temptoken',
      hidden: ({ settings }) => !settings.AUTH_TEMP_TOKEN,
      component: () => import('./temp-passwords.tsx'),
    },
    {
      path: 'connection-token',
      title: 'connectionTokens',
      icon: KeyOutlined,
      permission: 'authentication.view_connectiontoken',
      component: () => import('./connection-tokens.tsx'),
    },
  ],
})
