import type { Domain } from '../../kernel/domain.ts'
import { cleanBooks } from './jobs.ts'
import { keepBooks } from './recording.ts'
import { activityService, type Members, routes, servedFor } from './resources.ts'

export { type Members } from './resources.ts'
export { activities, loginLogs } from './tables.ts'
export { hasViewed } from './viewing.ts'

/** The books: who signed in, what changed, whose password changed, what happened around an object. */
export const domain = (members: Members): Domain => ({
  name: 'audits',
  resources: servedFor(members),
  services: [activityService],
  routes,
  onRecord: keepBooks(members),
  executions: [cleanBooks],
})
