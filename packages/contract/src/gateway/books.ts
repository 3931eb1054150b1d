/** What components write into the books: sessions, commands, the end of recordings (declared in resources/terminal.ts). */
import { z } from 'zod'
import type { BodyParsed, BodySent } from '../resource/calls.ts'
import type { Command, Session } from '../resources/terminal.ts'
import { type Grant, grantSchema } from './grants.ts'
import { acceptedHostKeysSchema } from './host-keys.ts'

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
> & { remote_addr: string; ticket?: string | undefined }

/** As a gateway asks for it: who, what and how, and as what the books are to have it. */
export type SessionWanted = BodySent<SessionCalls['begin']['body']>
/** Answer of `POST terminal/sessions/begin/`: the session is on the books. Holds secrets, so never log it. */
export const begunSessionSchema = z.object({
  grant: grantSchema,
  /** What the target may show where the grant leads: `host:port`, as gateways write it. */
  host_keys: acceptedHostKeysSchema.extend({ address: z.string() }),
})
export type BegunSession = z.output<typeof begunSessionSchema>
/** As the server tells it. */
export type BegunSessionTold = z.input<typeof begunSessionSchema>

type Opening = Pick<NewSession, 'id' | 'type' | 'login_from' | 'remote_addr' | 'date_start'>
interface Granted extends Pick<Grant, 'protocol' | 'org_id'> {
  user: Pick<Grant['user'], 'id' | 'name' | 'username'>
  asset: Pick<Grant['asset'], 'id' | 'name' | 'address' | 'org_id'>
  account: Pick<Grant['account'], 'id' | 'name' | 'username'>
}
/** A session that was granted, as the books have it. */
export function sessionFacts(
  { user, asset, account, protocol, org_id }: Granted,
  opening: Opening,
): NewSession {
  return {
    ...opening,
    user: `${user.name}(${user.username})`.slice(0, 128),
    user_id: user.id,
    asset: `${asset.name}(${asset.address})`.slice(0, 128),
    asset_id: asset.id,
    account: `${account.name}(${account.username})`.slice(0, 128),
    account_id: account.id || account.name,
    protocol,
    org_id: org_id || asset.org_id,
  }
}

export const endDetailMax = 1024

/** As a gateway sends it. */
export type CommandRecord = Required<BodyParsed<(typeof Command)['calls']['add']['body']>[number]>

export type FinishedRecording = BodySent<SessionCalls['finishRecording']['body']>
/** Answer 409 `chunks_missing` to it. */
export const missingChunksSchema = z.object({ missing: z.array(z.number().int().positive()).min(1) })

/** Of `PUT` at `chunkPath`. */
export const chunkHeaders = {
  sha256: 'x-chunk-sha256',
  startMs: 'x-chunk-start',
  endMs: 'x-chunk-end',
  keyframe: 'x-chunk-keyframe',
  /** With the last chunk, the whole recording's: how many chunks, and how long in ms. Finishes it where all are there. */
  recordingChunks: 'x-recording-chunks',
  recordingMs: 'x-recording-ms',
} as const
export const storedChunkSchema = z.object({ is_complete: z.boolean().default(false) })
