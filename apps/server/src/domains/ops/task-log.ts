/** The log of a task by its id alone, as clients of the compatible system ask for it. */
import { isUuid, TaskLog } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { executionRows } from '../../kernel/executions/index.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { missing, storedRow } from '../../kernel/resource/read.ts'
import { tailOf } from './calls.ts'
import { own, type TaskExecutionRow } from './resources.ts'

/** An execution that is seen here, or one's own wherever it runs. */
export async function executionSeen(
  served: Served<TaskExecutionRow>,
  ctx: Context,
  id: string,
): Promise<TaskExecutionRow | undefined> {
  if (!isUuid(id)) return undefined
  const named = eq(executionRows.id, id)
  return (
    (await storedRow(served, ctx, named)) ??
    (await storedRow(served, ctx.inOrg({ ...ctx.org, is_root: true }), sql`${named} and ${own(ctx)}`))
  )
}

export const taskLog = (served: Served<TaskExecutionRow>): Provided =>
  provide(TaskLog, {
    log: async (ctx, { parameters, query }) => {
      const row = await executionSeen(served, ctx, parameters.id)
      if (row === undefined) throw missing(served)
      return await tailOf(ctx.db, row.id, query.mark)
    },
  })
