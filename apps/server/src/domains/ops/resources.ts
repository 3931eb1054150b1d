/** Executions as people and programs see them: their own, and those of an organization for its administrators. */
import { errors, find, TaskExecution } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { executionRows, type Executions } from '../../kernel/executions/index.ts'
import { type RowOf, serve, type Served } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import { taskExecutionCalls } from './calls.ts'

export type TaskExecutionRow = RowOf<typeof TaskExecution, typeof executionRows>

const isFinished = sql`(${executionRows.date_finished} is not null)`
const seconds = sql`extract(epoch from coalesce(${executionRows.date_finished}, now()) - ${executionRows.date_start})::float8`

/** What the caller started, in whatever organization. */
export const own = (ctx: Context) => (ctx.identity ? eq(executionRows.user_id, ctx.identity.id) : sql`false`)

export const taskExecutionServed = (executions: Executions): Served<TaskExecutionRow> =>
  serve(TaskExecution, {
    table: executionRows,
    rows: org(executionRows.org_id, { outlives: true }),
    // Everybody may watch what they started; the tasks of others are for those who see all tasks.
    visible: (ctx) => (ctx.can('ops.view_celerytask') ? undefined : own(ctx)),
    computed: {
      name: sql`${executionRows.kind}`,
      args: sql`'[]'::json`,
      kwargs: sql`${executionRows.input}`,
      progress: sql`(case when ${executionRows.progress_done} is null then null
        else json_build_object('done', ${executionRows.progress_done}, 'total', ${executionRows.progress_total}) end)`,
      error_display: sql`coalesce(${executionRows.error}, '')`,
      time_cost: seconds,
      timedelta: sql`${seconds}::text`,
      is_success: sql`(${executionRows.status} = 'success')`,
      is_finished: isFinished,
    },
    filters: { is_finished: (value) => sql`${isFinished} = ${value === 'true'}` },
    may: (ctx, row, action) => {
      if (action !== 'cancel') return true
      if (row.date_finished !== null) return 'execution_is_over'
      return row.user_id === ctx.identity?.id || ctx.identity?.isSuperAdmin === true
        ? true
        : 'execution_not_yours'
    },
    present: (ctx, row) =>
      row.error_display === undefined
        ? row
        : { ...row, error_display: find(errors, ctx.language, row.error_display) ?? row.error_display },
    calls: taskExecutionCalls(executions),
  })
