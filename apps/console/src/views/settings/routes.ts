import { ApartmentOutlined } from '@ant-design/icons'
import { resourceRoutes, route } from '../../kit/routes/route.ts'

export default route({
  path: 'settings',
  title: 'viewSettings',
  showOrganization: false,
  children: [
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
