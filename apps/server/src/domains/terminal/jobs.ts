/** What is kept long enough goes: sessions with their commands and recordings, reports and tasks of components. */
import { and, eq, gt, inArray, lt } from 'drizzle-orm'
import { daysAgo, type Executor, removeOldRows } from '../../kernel/database/index.ts'
import { daily, execution, type Summary, type Work } from '../../kernel/executions/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import { chunksOf, folderOf, keyOf } from './recording.ts'
import { commands, recordings, sessions, terminalStatuses, terminalTasks } from './tables.ts'

const batch = 200
/** Chunks of a recording. */
const deletedAtOnce = 1000
/** Reports and carried-out tasks. */
const tracesDays = 7

/**
 * What of recordings is known goes before its files, and they before the row that names them: what is interrupted is found again the
 * next time. Where the storage lacks something the books know of, it may be away or lie elsewhere: those sessions stay.
 */
export async function clean(
  db: Executor,
  storage: Ground['storage'],
  keepDays: number,
  { log, progress, signal }: Pick<Work<unknown>, 'log' | 'progress' | 'signal'>,
): Promise<Summary> {
  let removed = 0
  let kept = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    signal.throwIfAborted()
    const old = await db
      .select({ id: sessions.id })
      .from(sessions)
      .where(
        and(
          lt(sessions.date_start, daysAgo(keepDays)),
          eq(sessions.is_finished, true),
          gt(sessions.id, after),
        ),
      )
      .orderBy(sessions.id)
      .limit(batch)
    const last = old.at(-1)
    if (last === undefined) break
    after = last.id
    const ids = []
    for (const { id } of old) if (await removeRecordings(db, storage, id)) ids.push(id)
    await db.delete(commands).where(inArray(commands.session, ids))
    await db.delete(sessions).where(inArray(sessions.id, ids))
    removed += ids.length
    kept += old.length - ids.length
    progress(removed)
  }
  for (const table of [terminalStatuses, terminalTasks])
    await removeOldRows(db, { table, date: table.date_created, keepDays: tracesDays, signal })
  await log(`Sessions older than ${keepDays} days: ${removed} removed`)
  if (kept > 0)
    await log(
      `${kept} more stay, because their recordings are not in the storage; see that SALLYPORT_STORAGE is the folder they lie in`,
    )
  return { sessions: removed, kept }
}

/** False, and nothing is touched, where the storage does not have all chunks the books know of. */
async function removeRecordings(db: Executor, storage: Ground['storage'], id: string): Promise<boolean> {
  const stored = new Set((await Array.fromAsync(storage.list(folderOf(id)))).map(({ key }) => key))
  const known = await db
    .select({ number: recordings.number })
    .from(recordings)
    .where(eq(recordings.session_id, id))
  for (const { number } of known)
    if ((await chunksOf(db, id, number)).some((chunk) => !stored.has(keyOf(chunk)))) return false
  await db.delete(recordings).where(eq(recordings.session_id, id))
  const keys = [...stored]
  for (let at = 0; at < keys.length; at += deletedAtOnce)
    await storage.delete(...keys.slice(at, at + deletedAtOnce))
  return true
}

export const cleanSessions = ({ storage }: Pick<Ground, 'storage'>) =>
  execution({
    ...daily,
    kind: 'terminal.clean-sessions',
    cron: '0 2 * * *',
    run: (ctx, work) => clean(ctx.db, storage, ctx.settings.TERMINAL_SESSION_KEEP_DURATION, work),
  })
