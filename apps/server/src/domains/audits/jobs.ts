/** What was kept long enough goes from the books. Whose password changed stays for good. */
import { inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { execution, type Summary, type Work } from '../../kernel/executions/index.ts'
import { activities, loginLogs, operateLogs } from './tables.ts'

const batch = 1000

const books = [
  { name: 'logins', table: loginLogs, days: 'LOGIN_LOG_KEEP_DAYS' },
  { name: 'operations', table: operateLogs, days: 'OPERATE_LOG_KEEP_DAYS' },
  { name: 'activities', table: activities, days: 'ACTIVITY_LOG_KEEP_DAYS' },
] as const

export async function clean(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { log, signal, progress }: Pick<Work<unknown>, 'log' | 'signal' | 'progress'>,
): Promise<Summary> {
  const summary: Record<string, number> = {}
  let all = 0
  for (const { name, table, days } of books) {
    let removed = 0
    for (;;) {
      signal.throwIfAborted()
      const old = db
        .select({ id: table.id })
        .from(table)
        .where(lt(table.datetime, sql`now() - ${settings[days]}::int * interval '1 day'`))
        .limit(batch)
      const gone = await db.delete(table).where(inArray(table.id, old)).returning({ id: table.id })
      removed += gone.length
      progress((all += gone.length))
      if (gone.length < batch) break
    }
    summary[name] = removed
    await log(`Records of ${name} older than ${settings[days]} days: ${removed} removed`)
  }
  return summary
}

export const cleanBooks = execution({
  kind: 'audits.clean-books',
  input: z.object({}),
  timeoutSeconds: 3600,
  concurrency: { total: 1 },
  onCrash: 'resume',
  cron: '0 2 * * *',
  run: clean,
})
