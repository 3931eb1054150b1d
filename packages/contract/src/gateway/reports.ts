/** The standing link of a component, `WS /ws/terminal-task/`: its status goes one way, orders come the other. */
import { z } from 'zod'

export const taskSocketPath = '/ws/terminal-task/'
export const sessionsReportedMax = 10_000

const figure = z.number().min(0).max(1e9).catch(0)

/** Of the file system that holds recordings not uploaded yet. */
export const diskSchema = z.object({
  free_bytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  total_bytes: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  /** There is too little left for new sessions, or soon will be: administrators are warned. */
  is_low: z.boolean(),
})
export type Disk = z.output<typeof diskSchema>

export const statusReportSchema = z.object({
  /** Ids of the sessions that are on the books and go on. */
  sessions: z.array(z.string().max(36)).max(sessionsReportedMax),
  session_online: z.number().int().min(0).max(1_000_000).catch(0),
  /** One-minute load for each processor. */
  cpu_load: figure.default(0),
  /** Per cent. */
  memory_used: figure.default(0),
  disk_used: figure.default(0),
  disk: diskSchema.optional(),
  /** New for each process of a gateway; other components do not say it. */
  boot_id: z.string().min(1).max(64).optional(),
  /** Under which address servers reach its browser listener: on the machine that reports, nowhere else. */
  http: z
    .url({ protocol: /^https?$/ })
    .max(256)
    .optional()
    .catch(undefined),
})
export type StatusReport = z.output<typeof statusReportSchema>

export const statusMessageSchema = z.object({ type: z.literal('status'), payload: statusReportSchema })

const text = (max: number) => z.string().max(max).default('')
/** An order; a message of the link is a list of them. */
export const taskSchema = z.object({
  id: z.string().max(64),
  name: z.string().max(64),
  /** `kill_session`: the session's id. */
  args: z.string().max(64),
  kwargs: z
    .object({
      /** Who ordered it: `Name(username)`, or `System`. */
      terminated_by: text(256),
      /** An end reason where the order is not a person's. */
      reason: text(64),
      /** In that person's words. */
      comment: text(256),
    })
    .nullish()
    .transform((kwargs) => kwargs ?? { terminated_by: '', reason: '', comment: '' }),
})
export type TerminalTask = z.output<typeof taskSchema>
export const tasksSchema = z.array(z.unknown()).max(10_000)
