/** What components write into the books: sessions, commands, the end of recordings (declared in resources/terminal.ts). */
import { z } from 'zod'
import type { BodyParsed, BodySent } from '../resource/calls.ts'
import type { Command, Session } from '../resources/terminal.ts'

type SessionCalls = (typeof Session)['calls']

/** As a gateway sends it: it names its sessions itself. */
export type NewSession = Required<
  Pick<
    BodySent<SessionCalls['open']['body']>,
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
export type SessionChange = BodySent<SessionCalls['change']['body']>
export const endDetailMax = 1024

/** As a gateway sends it. */
export type CommandRecord = Required<BodyParsed<(typeof Command)['calls']['add']['body']>[number]>
export const commandsMax = 1000

export type FinishedRecording = BodySent<SessionCalls['finishRecording']['body']>
/** Answer 409 `chunks_missing` to it. */
export const missingChunksSchema = z.object({ missing: z.array(z.number().int().positive()).min(1) })

/** Of `PUT terminal/sessions/{id}/recording/chunks/{number}/`. */
export const chunkHeaders = {
  sha256: 'x-chunk-sha256',
  startMs: 'x-chunk-start',
  endMs: 'x-chunk-end',
  keyframe: 'x-chunk-keyframe',
} as const
