/** What is kept long enough goes: sessions with their commands and recordings, reports and tasks of components. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type JobContext, job, type Jobs } from '../../kernel/jobs.ts'
import { folderOf } from './recording.ts'
import type { TerminalServices } from './services.ts'
import { commands, sessions, terminalStatuses, terminalTasks } from './tables.ts'

const batch = 200
/** Reports and carried-out tasks. */
const tracesDays = 7

const cleanJob = job({
  name: 'terminal/clean',
  schema: z.object({}),
  timeoutSeconds: 3600,
  retry: { limit: 2, delaySeconds: 300 },
  cron: '0 2 * * *',
})

type Services = Pick<TerminalServices, 'database' | 'settings' | 'storage'>

const before = (days: number) => sql`now() - ${days}::int * interval '1 day'`

/** The files go before the row that names them: what is interrupted is found again the next time. */
export async function clean(
  { database: { db }, settings, storage }: Services,
  signal: AbortSignal,
): Promise<void> {
  const { TERMINAL_SESSION_KEEP_DURATION: keepDays } = await settings.all()
  for (;;) {
    signal.throwIfAborted()
    const old = await db
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(lt(sessions.date_start, before(keepDays)), eq(sessions.is_finished, true)))
      .limit(batch)
    if (old.length === 0) break
    const ids = old.map(({ id }) => id)
    for (const id of ids) for await (const { key } of storage.list(folderOf(id))) await storage.delete(key)
    await db.delete(commands).where(inArray(commands.session, ids))
    await db.delete(sessions).where(inArray(sessions.id, ids))
  }
  await db.delete(terminalStatuses).where(lt(terminalStatuses.date_created, before(tracesDays)))
  await db.delete(terminalTasks).where(lt(terminalTasks.date_created, before(tracesDays)))
}

export function registerClean(jobs: Jobs, services: Services): void {
  jobs.register(cleanJob, (_data, { signal }: JobContext) => clean(services, signal))
}
