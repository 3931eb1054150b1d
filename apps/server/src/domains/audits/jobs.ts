/** What was kept long enough goes from the books. Whose password changed stays for good. */
import type { Context } from '../../kernel/context.ts'
import { removeOldRows } from '../../kernel/database/index.ts'
import { daily, execution, type Summary, type Work } from '../../kernel/executions/index.ts'
import { activities, loginLogs, operateLogs } from './tables.ts'

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
    const keepDays = settings[days]
    const removed = await removeOldRows(db, {
      table,
      date: table.datetime,
      keepDays,
      signal,
      onRemoved: (count) => progress((all += count)),
    })
    summary[name] = removed
    await log(`Records of ${name} older than ${keepDays} days: ${removed} removed`)
  }
  return summary
}

export const cleanBooks = execution({
  ...daily,
  kind: 'audits.clean-books',
  cron: '0 2 * * *',
  run: clean,
})
