import { route } from '../../kit/routes/route.ts'

export default route({ path: 'audit', title: 'viewAudit', children: [] })
