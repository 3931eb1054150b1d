import { afterAll } from 'vitest'
import type { Database } from '../database/index.ts'
import { createExecutions } from '../executions/index.ts'
import type { Ground } from '../ground.ts'
import { createJobs } from '../jobs.ts'
import { openLive } from '../live.ts'
import { testSecrets } from './http.ts'
import { testLog } from './index.ts'

/** What domains stand on, where a test serves some of them alone. Nobody works on executions; ended after the last test of the file. */
export async function testGround(
  database: Database,
): Promise<Pick<Ground, 'database' | 'log' | 'secrets' | 'live' | 'jobs' | 'executions'>> {
  const live = await openLive(database, testLog)
  afterAll(() => live.close())
  const jobs = createJobs(database, testLog)
  const executions = createExecutions({ database, live, jobs, log: testLog })
  return { database, log: testLog, secrets: testSecrets, live, jobs, executions }
}
