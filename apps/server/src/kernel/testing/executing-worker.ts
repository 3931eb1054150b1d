import { z } from 'zod'
import { openDatabase } from '../database/index.ts'
import { createExecutions, execution } from '../executions/index.ts'
import { createJobs } from '../jobs.ts'
import { openLive } from '../live.ts'
import { createLog } from '../log.ts'
import { workContext } from './work-context.ts'

/** Two executions whose first worker is killed while they run: this program is that worker. */
export const dying = (['resume', 'fail'] as const).map((onCrash) =>
  execution({
    kind: `test.${onCrash}`,
    input: z.object({}),
    timeoutSeconds: 60,
    onCrash,
    run: async (_ctx, { attempt, log }) => {
      await log(`attempt ${attempt}`)
      if (attempt === 1) await new Promise(() => {})
    },
  }),
)

if (import.meta.main) {
  const log = createLog('silent')
  const database = openDatabase(process.argv[2] ?? '', { log })
  const live = await openLive(database, log)
  const executions = createExecutions({ database, live, jobs: createJobs(database, log), log })
  for (const one of dying) executions.register(one)
  executions.work(workContext(database))
}
