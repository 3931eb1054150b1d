import { z } from 'zod'
import { openDatabase } from '../database/index.ts'
import { createJobs, job } from '../jobs.ts'
import { createLog } from '../log.ts'

/** A job whose first worker is killed while it runs: this program is that worker. */
export const crashing = job({
  name: 'test/crashing',
  schema: z.object({ mark: z.string() }),
  timeoutSeconds: 60,
  retry: { limit: 2, delaySeconds: 1 },
})

if (import.meta.main) {
  const log = createLog('silent')
  const jobs = createJobs(openDatabase(process.argv[2] ?? '', { log }), log)
  jobs.register(crashing, async () => {
    process.stdout.write('working\n')
    await new Promise(() => {})
  })
  await jobs.start({ work: true })
}
