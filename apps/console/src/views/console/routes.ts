import { route } from '../../kit/routes/route.ts'

export default route({ path: 'console', title: 'viewConsole', children: [] })
