import type { LogTail, TaskExecution } from '@sallyport/contract'
import type { Executor } from '../../kernel/database/index.ts'
import { type executionRows, type Executions, readLog } from '../../kernel/executions/index.ts'
import type { CallsOf } from '../../kernel/resource/binding.ts'

/** Of one answer; clients ask again at once while there is more. */
const maxTailChars = 10_240

/** The compatible polling log: `mark` is the line to go on from. */
export async function tailOf(db: Executor, id: string, mark: string | undefined): Promise<LogTail> {
  const from = /^\d{1,9}$/.test(mark ?? '') ? Number(mark) : 0
  const part = await readLog(db, id, from, maxTailChars)
  if (part === undefined || !part.hasBegun)
    return { data: mark === undefined ? 'Waiting task start\r\n' : '', end: part?.isEnd ?? true, mark: '0' }
  return {
    data: part.lines.map((line) => `${line}\r\n`).join(''),
    end: part.isEnd,
    mark: String(part.next),
  }
}

export const taskExecutionCalls = (
  executions: Executions,
): CallsOf<typeof TaskExecution, typeof executionRows> => ({
  cancel: async (ctx, { row, about }) => {
    if (!(await executions.cancel(ctx, row.id))) about([])
  },
  log: (ctx, { row, query }) => tailOf(ctx.db, row.id, query.mark),
})
