import { isNotNull } from 'drizzle-orm'
import { removeOldRows } from '../../kernel/database/index.ts'
import { daily, execution, executionRows } from '../../kernel/executions/index.ts'

/** The log of one is up to 20,000 lines. */
const atOnce = 50

/** Executions go with their logs once they are older than the setting says. */
export const cleanExecutions = execution({
  ...daily,
  kind: 'ops.clean-executions',
  cron: '0 2 * * *',
  run: async (ctx, { log, signal, progress }) => {
    const keepDays = ctx.settings.TASK_LOG_KEEP_DAYS
    let all = 0
    const removed = await removeOldRows(ctx.db, {
      table: executionRows,
      date: executionRows.date_published,
      keepDays,
      where: isNotNull(executionRows.date_finished),
      atOnce,
      signal,
      onRemoved: (count) => progress((all += count)),
    })
    await log(`Executions older than ${keepDays} days: ${removed} removed`)
    return { removed }
  },
})
