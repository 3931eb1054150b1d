/** Work that runs: what a task was given, how far it is, what came of it. */
import { answer, onRow, service } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import { boolean, choice, computed, datetime, float, integer, text, value } from '../resource/field.ts'
import { identified, organized, resource, type RowOf } from '../resource/resource.ts'

/** Of these the first two are not over. */
export const executionStatuses = choices('execution_status', [
  'pending',
  'running',
  'success',
  'failed',
  'error',
  'canceled',
  'timeout',
])
export type ExecutionStatus = (typeof executionStatuses.values)[number]
export const executionTriggers = choices('execution_trigger', ['manual', 'timing'])
export type ExecutionTrigger = (typeof executionTriggers.values)[number]

/** What a tail of a log is answered: `mark` is where the next part begins, `end` that there will be none. */
export interface LogTail {
  data: string
  end: boolean
  mark: string
}

const tail = {
  method: 'GET',
  access: 'ops.view_celerytaskexecution',
  query: { mark: text({ max: 36 }) },
  answer: answer.json<LogTail>(),
} as const

export const TaskExecution = resource({
  app: 'ops',
  model: 'celerytaskexecution',
  path: 'ops/task-executions',
  scope: 'org',
  order: ['-date_published'],
  actions: ['list', 'retrieve'],
  filters: { is_finished: { kind: 'boolean' } },
  fields: {
    ...identified,
    /** The same as `kind`, by its name on the wire. */
    name: computed(text()),
    kind: text({ readOnly: true, filter: true, search: true }),
    args: value<readonly unknown[]>(),
    kwargs: value<Readonly<Record<string, unknown>>>(),
    status: choice(executionStatuses, { readOnly: true, filter: true }),
    trigger: choice(executionTriggers, { readOnly: true, filter: true }),
    user: text({ readOnly: true, search: true }),
    attempt: integer({ readOnly: true }),
    progress: value<{ done: number; total: number | null } | null>(),
    summary: value<Readonly<Record<string, unknown>>>(),
    error: text({ readOnly: true, nullable: true }),
    /** The sentence of the error. */
    error_display: computed(text()),
    timeout_seconds: integer({ readOnly: true }),
    time_cost: computed(float({ nullable: true })),
    timedelta: computed(text({ nullable: true })),
    is_success: computed(boolean()),
    is_finished: computed(boolean()),
    date_published: datetime({ readOnly: true }),
    date_start: datetime({ readOnly: true, nullable: true }),
    date_finished: datetime({ readOnly: true, nullable: true }),
    ...organized,
  },
  calls: {
    cancel: onRow({
      method: 'POST',
      path: 'cancel',
      access: 'ops.view_celerytaskexecution',
      answer: answer.row,
      records: 'terminate',
    }),
    log: onRow({ ...tail, path: 'log' }),
  },
})
export type TaskExecution = RowOf<typeof TaskExecution>

/** The same log by the address clients of the compatible system know. */
export const TaskLog = service({
  app: 'ops',
  model: 'celerytaskexecution',
  path: 'ops/celery/task/{task}/task-execution/{id}',
  calls: { log: { ...tail, on: 'list', path: 'log' } },
})
