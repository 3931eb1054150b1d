import { route } from '../../kit/routes/route.ts'

export default route({ path: 'profile', title: 'viewProfile', showOrganization: false, children: [] })
