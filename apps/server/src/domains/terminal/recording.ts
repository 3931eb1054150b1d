/** Recordings in numbered chunks: taken while the session runs, told apart by number and checksum (docs/decisions/0002). */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createZstdDecompress, zstdDecompress } from 'node:zlib'
import { promisify } from 'node:util'
import { chunksMax, errors, translate } from '@sallyport/contract'
import { chunkHeaders as headers, type FinishedRecording } from '@sallyport/contract/gateway/books'
import {
  decodeFrames,
  decodeSize,
  frameType,
  headerOf,
  inflatedChunkMaxBytes,
  type RecordingHeader,
  type RecordingIndex,
} from '@sallyport/contract/recording'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import { type Call, Reply, route, type RouteByHand } from '../../kernel/http/route.ts'
import type { ObjectStorage } from '../../kernel/storage/index.ts'
import { hasViewed } from '../audits/index.ts'
import { ownSession, type SessionRow, visibleSession } from './components.ts'
import type { TerminalServices } from './services.ts'
import { recordingChunks, sessions } from './tables.ts'

const inflate = promisify(zstdDecompress)

/** Compressing what cannot be compressed adds a little. */
const chunkBytesMax = inflatedChunkMaxBytes + 64 * 1024
/** How many missing chunks are named at once; the rest when the component finishes again. */
const missingMax = 1000

export type Chunk = typeof recordingChunks.$inferSelect

/** Where the bytes are. The checksum is part of the name: what is stored is never written over. */
export const keyOf = (chunk: Pick<Chunk, 'session_id' | 'number' | 'sha256'>) =>
  `recordings/${chunk.session_id.slice(0, 2)}/${chunk.session_id}/${chunk.number}-${chunk.sha256.slice(0, 16)}.zst`
/** Everything stored of one session's recording. */
export const folderOf = (sessionId: string) => `recordings/${sessionId.slice(0, 2)}/${sessionId}/`

const chunkHeadersSchema = z.object({
  [headers.sha256]: z
    .string()
    .regex(/^[0-9a-f]{64}$/i)
    .toLowerCase(),
  [headers.startMs]: z.coerce.number().int().min(0).max(2_147_483_647),
  [headers.endMs]: z.coerce.number().int().min(0).max(2_147_483_647),
  [headers.keyframe]: z.enum(['0', '1']).default('0'),
  [headers.recordingChunks]: z.coerce.number().int().min(1).max(chunksMax).optional(),
  [headers.recordingMs]: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
})

function numberOf(text: string | undefined): number {
  if (!/^[1-9]\d{0,6}$/.test(text ?? '') || Number(text) > chunksMax) throw new ApiError(404, 'not_found')
  return Number(text)
}

async function bodyOf(request: FastifyRequest): Promise<Buffer> {
  if (!(request.body instanceof Readable))
    throw new ApiError(415, 'unsupported_media_type', { params: { type: '' } })
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request.body as AsyncIterable<Buffer>) {
    bytes += part.byteLength
    if (bytes > chunkBytesMax) throw new ApiError(413, 'body_too_large', { params: { max: chunkBytesMax } })
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function isChunk(bytes: Buffer): Promise<boolean> {
  return await inflate(bytes, { maxOutputLength: inflatedChunkMaxBytes }).then(
    () => true,
    () => false,
  )
}

const storedChunk = async (db: Executor, sessionId: string, number: number): Promise<Chunk | undefined> =>
  (
    await db
      .select()
      .from(recordingChunks)
      .where(and(eq(recordingChunks.session_id, sessionId), eq(recordingChunks.number, number)))
  )[0]

const differs = (number: number) => new ApiError(409, 'chunk_differs', { params: { number } })

/** Stores a chunk once. The bytes are safe before the row says so. */
async function takeChunk(ctx: Context, storage: ObjectStorage, { params, request }: Call): Promise<Reply> {
  const number = numberOf(params['number'])
  const session = await ownSession(ctx, params['id'] ?? '')
  const bytes = await bodyOf(request)
  const told = chunkHeadersSchema.safeParse(request.headers)
  if (!told.success) throw invalid(String(told.error.issues[0]?.path[0] ?? 'headers'), 'error')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== told.data[headers.sha256]) throw new ApiError(400, 'chunk_checksum')
  if (session.recording_chunks !== null) {
    const known = await storedChunk(ctx.db, session.id, number)
    if (known?.sha256 === sha256) return new Reply(200, { is_complete: true })
    throw known ? differs(number) : new ApiError(409, 'recording_finished')
  }
  if (!(await isChunk(bytes)))
    throw new ApiError(400, 'chunk_not_zstd', { params: { max: inflatedChunkMaxBytes } })
  const chunk: Chunk = {
    session_id: session.id,
    number,
    start_ms: told.data[headers.startMs],
    end_ms: told.data[headers.endMs],
    size: bytes.byteLength,
    sha256,
    is_keyframe: told.data[headers.keyframe] === '1',
  }
  await storage.put(keyOf(chunk), bytes)
  const [made] = await ctx.db.insert(recordingChunks).values(chunk).onConflictDoNothing().returning()
  if (made === undefined) {
    // Another delivery of this number came first.
    if ((await storedChunk(ctx.db, session.id, number))?.sha256 === sha256) return new Reply(200, {})
    await storage.delete(keyOf(chunk))
    throw differs(number)
  }
  const { [headers.recordingChunks]: chunks, [headers.recordingMs]: duration_ms } = told.data
  if (chunks !== undefined && duration_ms !== undefined) {
    const isComplete = await finishIfComplete(ctx.db, session.id, { chunks, duration_ms })
    if (isComplete) return new Reply(201, { is_complete: true })
  }
  // What comes after the end, from a gateway that was lost, can be watched although it may never be finished.
  await ctx.db
    .update(sessions)
    .set({ has_replay: true })
    .where(and(eq(sessions.id, session.id), eq(sessions.is_finished, true), eq(sessions.has_replay, false)))
  return new Reply(201, {})
}

/** Ends a recording once all of it is here. @throws ApiError 409 with the numbers of the chunks that are missing. */
export async function finishRecording(
  ctx: Context,
  id: string,
  facts: FinishedRecording,
): Promise<Record<string, never>> {
  const session = await ownSession(ctx, id, { lock: true })
  const lacking = await ctx.db.execute<{ number: number }>(
    sql`select number from generate_series(1, ${facts.chunks}::int) as number
      where not exists (select 1 from ${recordingChunks}
        where ${recordingChunks.session_id} = ${session.id} and ${recordingChunks.number} = number.number)
      order by number limit ${missingMax}`,
  )
  const missing = lacking.rows.map(({ number }) => number)
  if (missing.length > 0)
    throw new ApiError(409, 'chunks_missing', {
      body: (language) => ({
        detail: translate(errors, language, 'chunks_missing'),
        code: 'chunks_missing',
        missing,
      }),
    })
  await ctx.db.update(sessions).set(finishedBy(facts)).where(eq(sessions.id, session.id))
  return {}
}

type Whole = Pick<FinishedRecording, 'chunks' | 'duration_ms'>
const finishedBy = ({ chunks, duration_ms }: Whole) => ({
  recording_chunks: chunks,
  recording_ms: duration_ms,
  replay_version: 3,
  has_replay: chunks > 0,
})

/** Ends a recording in the place of a call that says so, where nothing is missing. */
async function finishIfComplete(db: Executor, id: string, whole: Whole): Promise<boolean> {
  const there = sql`(select count(*) from ${recordingChunks} where ${recordingChunks.session_id} = ${id} and ${recordingChunks.number} <= ${whole.chunks})`
  const finished = await db
    .update(sessions)
    .set(finishedBy(whole))
    .where(and(eq(sessions.id, id), sql`${there} = ${whole.chunks}`))
    .returning({ id: sessions.id })
  return finished.length > 0
}

const indexMax = 200_000

/** The chunks of a session in order. */
export async function chunksOf(db: Executor, sessionId: string): Promise<Chunk[]> {
  return await db
    .select()
    .from(recordingChunks)
    .where(eq(recordingChunks.session_id, sessionId))
    .orderBy(asc(recordingChunks.number))
    .limit(indexMax)
}

/** The bytes of a chunk as they are stored. @throws when the storage lost it. */
export async function openChunk(storage: ObjectStorage, chunk: Chunk): Promise<Readable> {
  const object = await storage.get(keyOf(chunk))
  if (object === undefined) throw new Error(`the storage lacks ${keyOf(chunk)}`)
  return object.stream
}

/** A chunk's frames, inflated. */
export async function framesOf(storage: ObjectStorage, chunk: Chunk): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of (await openChunk(storage, chunk)) as AsyncIterable<Buffer>) parts.push(part)
  return await inflate(Buffer.concat(parts), { maxOutputLength: inflatedChunkMaxBytes })
}

/** What the first chunk tells: the kind of recording, and the window at the beginning by the first resize or snapshot. */
export async function beginning(
  storage: ObjectStorage,
  first: Chunk | undefined,
): Promise<RecordingHeader & { cols: number; rows: number }> {
  const frames = first ? decodeFrames(await framesOf(storage, first)) : []
  const sized = frames.find(({ type }) => type === frameType.resize || type === frameType.snapshot)
  return { ...headerOf(frames), ...(sized ? decodeSize(sized.payload) : { cols: 80, rows: 24 }) }
}

/** What somebody saw of whom is recorded, too. */
export const recordViewing = (ctx: Context, session: SessionRow): Promise<void> =>
  ctx.emit({
    type: 'happened',
    name: 'operated',
    data: {
      action: 'view',
      resource_type: 'terminal.session',
      resource: `${session.user} → ${session.asset}`.slice(0, 128),
      resource_id: session.id,
      org_id: session.org_id,
    },
  })

/** Ends of sessions behind which something may have been shown that was not recorded. */
const cutOff: ReadonlySet<string> = new Set(['gateway_lost', 'recording_failed'])

export async function recordingIndex(
  ctx: Context,
  storage: ObjectStorage,
  id: string,
): Promise<RecordingIndex> {
  const session = await visibleSession(ctx, id)
  const chunks = await chunksOf(ctx.db, session.id)
  const last = chunks.at(-1)
  if (last === undefined) throw new ApiError(404, 'recording_missing')
  const begun = await beginning(storage, chunks[0])
  await recordViewing(ctx, session)
  return {
    ...begun,
    duration_ms: session.recording_ms ?? last.end_ms,
    is_complete: session.recording_chunks !== null && !cutOff.has(session.end_reason ?? ''),
    chunks: chunks.map(({ number, start_ms, end_ms, size, is_keyframe }) => ({
      number,
      start_ms,
      end_ms,
      size,
      is_keyframe,
    })),
  }
}

const takesZstd = (request: FastifyRequest) =>
  /(^|,)\s*zstd\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[\d.]+\s*)?(,|$)/i.test(request.headers['accept-encoding'] ?? '')

async function sendChunk(ctx: Context, storage: ObjectStorage, { params, request, reply }: Call) {
  const session = await visibleSession(ctx, params['id'] ?? '')
  const chunk = await storedChunk(ctx.db, session.id, numberOf(params['number']))
  if (chunk === undefined) throw new ApiError(404, 'recording_missing')
  reply.headers({
    'content-type': 'application/octet-stream',
    'cache-control': 'private, no-store',
    vary: 'accept-encoding',
  })
  // Every chunk shows the screen; who plays a recording reads many of them.
  if (!(await hasViewed(ctx, session.id))) await recordViewing(ctx, session)
  const stored = await openChunk(storage, chunk)
  if (takesZstd(request))
    return reply.headers({ 'content-encoding': 'zstd', 'content-length': chunk.size }).send(stored)
  const plain = createZstdDecompress()
  stored.once('error', (error) => plain.destroy(error))
  plain.once('close', () => stored.destroy())
  return reply.send(stored.pipe(plain))
}

const path = '/api/v1/terminal/sessions/:id/recording/chunks/:number/'

/** Chunks are files, not JSON. */
export const recordingRoutes = ({ storage }: Pick<TerminalServices, 'storage'>): RouteByHand[] => [
  route({
    method: 'PUT',
    path,
    access: 'component',
    raw: true,
    records: { unrecorded: 'the session is the record, and names who watches what was recorded' },
    byHand: 'a stream of bytes',
    bodyLimit: chunkBytesMax,
    handler: (ctx, call) => takeChunk(ctx, storage, call),
  }),
  route({
    method: 'GET',
    path,
    access: { oneOf: ['terminal.view_sessionreplay'] },
    byHand: 'a stream of bytes',
    handler: (ctx, call) => sendChunk(ctx, storage, call),
  }),
]
