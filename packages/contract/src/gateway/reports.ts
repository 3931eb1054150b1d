/** The standing link of a component, `WS /ws/terminal-task/`: its status goes one way, orders come the other. */
import { z } from 'zod'
import type { BodyParsed } from '../resource/calls.ts'
import { boolean, float, integer, list, object, text } from '../resource/field.ts'

export const taskSocketPath = '/ws/terminal-task/'
export const sessionsReportedMax = 10_000

const bytes = integer({ required: true, min: 0, max: Number.MAX_SAFE_INTEGER })
/** What a component says of itself, over its link and in the calls `report`. */
export const statusReport = {
  /** Ids of the sessions that are on the books and go on; left out, the report is refused. */
  sessions: list({ max: 36, maxItems: sessionsReportedMax }),
  session_online: integer({ min: 0 }),
  /** One-minute load for each processor. */
  cpu_load: float(),
  /** Per cent. */
  memory_used: float(),
  disk_used: float(),
  /** Of the file system that holds recordings not uploaded yet. */
  disk: object({
    free_bytes: bytes,
    total_bytes: bytes,
    /** There is too little left for new sessions, or soon will be: administrators are warned. */
    is_low: boolean({ required: true }),
  }),
  /** New for each process of a gateway; other components do not say it. */
  boot_id: text({ max: 64 }),
  /** Under which address servers reach its browser listener: on the machine that reports, nowhere else. */
  http: text({ max: 256 }),
}
export type StatusReport = BodyParsed<typeof statusReport>
export type Disk = NonNullable<StatusReport['disk']>

export const statusMessageSchema = z.object({ type: z.literal('status'), payload: z.unknown() })

const words = (max: number) => z.string().max(max).default('')
/** An order; a message of the link is a list of them. */
export const taskSchema = z.object({
  id: z.string().max(64),
  name: z.string().max(64),
  /** `kill_session`: the session's id. */
  args: z.string().max(64),
  kwargs: z
    .object({
      /** Who ordered it: `Name(username)`, or `System`. */
      terminated_by: words(256),
      /** An end reason where the order is not a person's. */
      reason: words(64),
      /** In that person's words. */
      comment: words(256),
    })
    .nullish()
    .transform((kwargs) => kwargs ?? { terminated_by: '', reason: '', comment: '' }),
})
export type TerminalTask = z.output<typeof taskSchema>
export const tasksSchema = z.array(z.unknown()).max(10_000)
