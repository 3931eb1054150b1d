import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { cleanExecutions } from './jobs.ts'
import { logSocket } from './log-socket.ts'
import { taskExecutionServed } from './resources.ts'
import { taskLog } from './task-log.ts'

export function domain({ executions, log }: Pick<Ground, 'executions' | 'log'>): Domain {
  const served = taskExecutionServed(executions)
  return {
    name: 'ops',
    resources: [served],
    services: [taskLog(served)],
    sockets: [logSocket(served, executions, log)],
    executions: [cleanExecutions],
  }
}
