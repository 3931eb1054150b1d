import { z } from 'zod'
import type { Executor } from '../database/index.ts'
import type { Live } from '../live.ts'

/** On which nodes tell each other what became of executions; the rows say it, this only wakes those who wait. */
export const executionChannel = 'execution'
export const executionEvent = z.object({ id: z.string(), what: z.enum(['queued', 'log', 'cancel', 'ended']) })

export const tell = (live: Live, db: Executor, id: string, what: z.infer<typeof executionEvent>['what']) =>
  live.publish(executionChannel, { id, what }, db)
