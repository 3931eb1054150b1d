/** What is kept long enough goes: sessions with their commands and recordings, reports and tasks of components. */
import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Executor } from '../../kernel/database/index.ts'
import { execution, type Summary, type Work } from '../../kernel/executions/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { folderOf } from './recording.ts'
import { commands, sessions, terminalStatuses, terminalTasks } from './tables.ts'

const batch = 200
/** Reports and carried-out tasks. */
const tracesDays = 7

const before = (days: number) => sql`now() - ${days}::int * interval '1 day'`

/** The files go before the row that names them: what is interrupted is found again the next time. */
export async function clean(
  db: Executor,
  storage: Ground['storage'],
  keepDays: number,
  { log, progress, signal }: Pick<Work<unknown>, 'log' | 'progress' | 'signal'>,
): Promise<Summary> {
  let removed = 0
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
    removed += ids.length
    progress(removed)
  }
  await db.delete(terminalStatuses).where(lt(terminalStatuses.date_created, before(tracesDays)))
  await db.delete(terminalTasks).where(lt(terminalTasks.date_created, before(tracesDays)))
  await log(`Sessions older than ${keepDays} days: ${removed} removed`)
  return { sessions: removed }
}

export const cleanSessions = ({ storage }: Pick<Ground, 'storage'>) =>
  execution({
    kind: 'terminal.clean-sessions',
    input: z.object({}),
    timeoutSeconds: 3600,
    concurrency: { total: 1 },
    onCrash: 'resume',
    cron: '0 2 * * *',
    run: (ctx, work) => clean(ctx.db, storage, ctx.settings.TERMINAL_SESSION_KEEP_DURATION, work),
  })
