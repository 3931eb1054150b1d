/** What components write into the books: sessions, commands, the end of recordings. Times are ISO 8601 where nothing else is said. */
import { z } from 'zod'
import { protocolChoices } from '../assets/protocols.ts'
import { endReasonSchema } from '../recording.ts'
import { loginFroms, sessionTypes } from '../resources/terminal.ts'

const short = (max: number) => z.string().max(max)
/** ISO 8601, or as the compatible system writes it. */
const moment = z.string().max(64)
const organization = z.union([z.guid(), z.literal('')])

/** Body of `POST terminal/sessions/`. */
export const newSessionSchema = z.object({
  id: z.guid().optional(),
  user: short(128).min(1),
  asset: short(128).min(1),
  account: short(128).min(1),
  user_id: short(36).default(''),
  asset_id: short(36).default(''),
  account_id: short(128),
  protocol: z.enum(protocolChoices.values),
  type: z.enum(sessionTypes.values).default('normal'),
  login_from: z.enum(loginFroms.values).default('ST'),
  remote_addr: short(128).nullish(),
  comment: short(4096).nullish(),
  org_id: organization.default(''),
  is_success: z.boolean().default(true),
  is_finished: z.boolean().default(false),
  date_start: moment.optional(),
  date_end: moment.nullish(),
})
/** As a gateway sends it: it names its sessions itself. */
export type NewSession = Required<
  Pick<
    z.output<typeof newSessionSchema>,
    | 'id'
    | 'user'
    | 'user_id'
    | 'asset'
    | 'asset_id'
    | 'account'
    | 'account_id'
    | 'protocol'
    | 'type'
    | 'login_from'
    | 'org_id'
    | 'date_start'
  >
> & { remote_addr: string }

export const endDetailMax = 1024
/** Body of `PATCH terminal/sessions/{id}/`. */
export const sessionChangeSchema = z.object({
  is_finished: z.boolean().optional(),
  is_success: z.boolean().optional(),
  has_replay: z.boolean().optional(),
  date_end: moment.nullish(),
  end_reason: endReasonSchema.nullish(),
  end_detail: z
    .string()
    .transform((text) => text.slice(0, endDetailMax))
    .nullish(),
})
export type SessionChange = z.input<typeof sessionChangeSchema>

export const commandsMax = 1000
/** People's terminals have null characters; the server's texts have none. */
const printed = short(64 * 1024).transform((text) => text.replaceAll('\u0000', ''))
/** Element of the body of `POST terminal/commands/`. Longer texts are shortened by the server, not refused. */
export const commandRecordSchema = z.object({
  /** Lets the server see a repeated delivery. */
  id: z.guid().optional(),
  session: z.guid(),
  user: short(1024),
  asset: printed,
  account: short(1024),
  input: printed,
  output: printed.default(''),
  risk_level: z.union([z.literal(0), z.literal(5)]).catch(0),
  org_id: organization.default(''),
  /** Seconds since the epoch, and the milliseconds of that second. */
  timestamp: z.number().int().min(0).max(2_147_483_647),
  millisecond: z.number().int().min(0).max(999).default(0),
  /** Which of its session's commands it is, from 1; 0 where a component does not count. */
  sequence: z.number().int().min(0).max(2_147_483_647).default(0),
})
/** As a gateway sends it. */
export type CommandRecord = z.output<typeof commandRecordSchema> & { id: string }

/** Twelve days of a chunk each second. */
export const chunksMax = 1_000_000
/** Body of `POST terminal/sessions/{id}/recording/finish/`. */
export const finishedRecordingSchema = z.object({
  chunks: z.number().int().min(0).max(chunksMax),
  duration_ms: z.number().min(0).max(2_147_483_647),
  bytes: z.number().min(0),
})
export type FinishedRecording = z.output<typeof finishedRecordingSchema>
/** Answer 409 `chunks_missing` to it. */
export const missingChunksSchema = z.object({ missing: z.array(z.number().int().positive()).min(1) })

export const chunkHeaders = {
  sha256: 'x-chunk-sha256',
  startMs: 'x-chunk-start',
  endMs: 'x-chunk-end',
  keyframe: 'x-chunk-keyframe',
} as const
