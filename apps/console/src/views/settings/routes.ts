import { ApartmentOutlined, BellOutlined, MailOutlined } from '@ant-design/icons'
import { resourceRoutes, route } from '../../kit/routes/route.ts'

export default route({
  path: 'settings',
  title: 'viewSettings',
  showOrganization: false,
  children: [
    {
      path: 'email',
      title: 'emailSettings',
      icon: MailOutlined,
      permission: 'settings.change_email',
      component: () => import('./email.tsx'),
    },
    {
      path: 'message',
      title: 'messageSubscription',
      icon: BellOutlined,
      permission: 'settings.change_systemmsgsubscription',
      component: () => import('./message-subscription.tsx'),
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
  ],
})
