import { inSameOrganization } from '../routes/navigation.tsx'
import { followTask } from './follow-task.ts'

const taskWindow = 'width=900,height=600,noopener'
const type = 'celery'

/** Opens the log of a task, as it is written, in a window of its own; `ended` follows once the task has ended, window or not. */
export function openTask(id: string, ended: () => void): void {
  const log = `/ui/ops/celery/task/${encodeURIComponent(id)}/log/?type=${type}`
  window.open(inSameOrganization(log), '_blank', taskWindow)
  // Who lost sight of it asks again, too: it may have ended meanwhile.
  followTask(id, type, { onEnd: ended, onLost: ended })
}
