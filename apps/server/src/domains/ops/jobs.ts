import { and, inArray, isNotNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { execution, executionRows } from '../../kernel/executions/index.ts'

const batch = 500

/** Executions go with their logs once they are older than the setting says. */
export const cleanExecutions = execution({
  kind: 'ops.clean-executions',
  input: z.object({}),
  timeoutSeconds: 3600,
  concurrency: { total: 1 },
  onCrash: 'resume',
  cron: '0 2 * * *',
  run: async (ctx, { log, signal, progress }) => {
    const days = ctx.settings.TASK_LOG_KEEP_DAYS
    let removed = 0
    for (;;) {
      signal.throwIfAborted()
      const old = ctx.db
        .select({ id: executionRows.id })
        .from(executionRows)
        .where(
          and(
            isNotNull(executionRows.date_finished),
            lt(executionRows.date_published, sql`now() - ${days}::int * interval '1 day'`),
          ),
        )
        .limit(batch)
      const gone = await ctx.db
        .delete(executionRows)
        .where(inArray(executionRows.id, old))
        .returning({ id: executionRows.id })
      removed += gone.length
      progress(removed)
      if (gone.length < batch) break
    }
    await log(`Executions older than ${days} days: ${removed} removed`)
    return { removed }
  },
})
