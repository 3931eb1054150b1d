/** The standing link of a component, `WS /ws/terminal-task/`: its status goes one way, orders come the other. */
import { z } from 'zod'
import { terminationReasonMax } from '../constants.ts'
import type { BodyParsed } from '../resource/calls.ts'
import type { statusReport } from '../resources/components.ts'

export const taskSocketPath = '/ws/terminal-task/'

export type StatusReport = BodyParsed<typeof statusReport>
export type Disk = NonNullable<StatusReport['disk']>

export const statusMessageSchema = z.object({ type: z.literal('status'), payload: z.unknown() })

const words = (max: number) => z.string().max(max).default('')
/** An order; a message of the link is a list of them. */
export const taskSchema = z.object({
  id: z.string().max(64),
  name: z.string().max(64),
  /**
   * `kill_session`: the session's id; `disconnect_user`: that of the person whose connections were signed in and may not go on; `probe`: that of a batch
   * of targets (probes.ts); `review_decided`: that of a ticket the component opened (reviews.ts), which waits for nobody any more;
   * `host_key_refused`: the fingerprint of a host key of `asset` that was accepted before. */
  args: z.string().max(64),
  kwargs: z
    .object({
      /** Who ordered it: `Name(username)`, or `System`. */
      terminated_by: words(256),
      /** An end reason where the order is not a person's. */
      reason: words(64),
      /** In that person's words. */
      comment: words(terminationReasonMax),
      /** `disconnect_user`: sign-ins from before this moment count no more (`signed_in_ms`). */
      before_ms: z.number().optional(),
      /** `host_key_refused`: whose key it is. */
      asset: z.string().max(64).optional(),
    })
    .nullish()
    .transform((kwargs) => kwargs ?? { terminated_by: '', reason: '', comment: '' }),
})
export type TerminalTask = z.output<typeof taskSchema>
export const tasksSchema = z.array(z.unknown()).max(10_000)
