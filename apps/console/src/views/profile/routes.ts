import { IdcardOutlined } from '@ant-design/icons'
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
  ],
})
