import { inSameOrganization } from '../routes/navigation.tsx'

const taskWindow = 'width=900,height=600,noopener'

/** Opens the log of a task, as it is written, in a window of its own. */
export function openTask(id: string): void {
  const log = `/ui/ops/celery/task/${encodeURIComponent(id)}/log/?type=celery`
  window.open(inSameOrganization(log), '_blank', taskWindow)
}
