/**
 * Recordings of a session, each in numbered chunks: taken while the session runs, told apart by number and checksum (docs/decisions/0002).
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createZstdDecompress, zstdDecompress } from 'node:zlib'
import { promisify } from 'node:util'
import { chunksMax, errors, translate } from '@sallyport/contract'
import { chunkHeaders as headers, type FinishedRecording } from '@sallyport/contract/gateway/books'
import {
  chunkPath,
  decodeSize,
  frameType,
  headerOf,
  headOf,
  inflatedChunkMaxBytes,
  recordingsMax,
  type RecordingHeader,
  type RecordingIndex,
  type SessionRecordings,
} from '@sallyport/contract/recording'
import { and, asc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { ApiError, invalid } from '../../kernel/errors.ts'
import { passedThrough } from '../../kernel/http/passed-through.ts'
import { type Call, Reply, route, type RouteByHand } from '../../kernel/http/route.ts'
import type { ObjectStorage } from '../../kernel/storage/index.ts'
import { hasViewed } from '../audits/index.ts'
import { ownSession, type SessionRow, visibleSession } from './components.ts'
import type { TerminalServices } from './services.ts'
import { recordingChunks, recordings, sessions } from './tables.ts'

const inflate = promisify(zstdDecompress)

/** Compressing what cannot be compressed adds a little. */
const chunkBytesMax = inflatedChunkMaxBytes + 64 * 1024
/** How many missing chunks are named at once; the rest when the component finishes again. */
const missingMax = 1000

export type Chunk = typeof recordingChunks.$inferSelect

/** Everything stored of a session's recordings. */
export const folderOf = (sessionId: string) => `recordings/${sessionId.slice(0, 2)}/${sessionId}/`
/** Where the bytes are. The checksum is part of the name: what is stored is never written over. */
export const keyOf = ({
  session_id,
  recording,
  number,
  sha256,
}: Pick<Chunk, 'session_id' | 'recording' | 'number' | 'sha256'>) =>
  `${folderOf(session_id)}${recording === 1 ? '' : `${recording}/`}${number}-${sha256.slice(0, 16)}.zst`

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

function numberOf(text: string | undefined, max: number): number {
  if (!/^[1-9]\d{0,6}$/.test(text ?? '') || Number(text) > max) throw new ApiError(404, 'not_found')
  return Number(text)
}
/** The recording an address names; the first one where it names none. */
const recordingNumber = (text = '1') => numberOf(text, recordingsMax)

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

/** What a chunk holds; undefined where it is none. */
const inflated = (bytes: Buffer): Promise<Buffer | undefined> =>
  inflate(bytes, { maxOutputLength: inflatedChunkMaxBytes }).catch(() => undefined)

/** The kind a first chunk names; null where it says nothing that can be read. */
function kindOf(frames: Buffer): string | null {
  try {
    return headerOf(headOf(frames)).kind
  } catch {
    return null
  }
}

const isOf = (sessionId: string, recording: number | SQL) =>
  and(eq(recordingChunks.session_id, sessionId), eq(recordingChunks.recording, recording))

type Place = Pick<Chunk, 'session_id' | 'recording' | 'number'>
const storedChunk = async (
  db: Executor,
  { session_id, recording, number }: Place,
): Promise<Chunk | undefined> =>
  (
    await db
      .select()
      .from(recordingChunks)
      .where(and(isOf(session_id, recording), eq(recordingChunks.number, number)))
  )[0]

type RecordingRow = typeof recordings.$inferSelect
const storedRecording = async (
  db: Executor,
  sessionId: string,
  number: number,
): Promise<RecordingRow | undefined> =>
  (
    await db
      .select()
      .from(recordings)
      .where(and(eq(recordings.session_id, sessionId), eq(recordings.number, number)))
  )[0]

/** Whether the chunk was new. Its recording begins with whichever comes first, and is of the kind the first one says. */
async function keepChunk(db: Executor, chunk: Chunk, kind: string | null): Promise<boolean> {
  const insert = db.insert(recordings).values({ session_id: chunk.session_id, number: chunk.recording, kind })
  const begun =
    kind === null
      ? insert.onConflictDoNothing()
      : insert.onConflictDoUpdate({
          target: [recordings.session_id, recordings.number],
          set: { kind },
          setWhere: isNull(recordings.kind),
        })
  const recording = db.$with('recording').as(begun.returning())
  const made = await db
    .with(recording)
    .insert(recordingChunks)
    .values(chunk)
    .onConflictDoNothing()
    .returning({ number: recordingChunks.number })
  return made.length > 0
}

const differs = (number: number) => new ApiError(409, 'chunk_differs', { params: { number } })

/** Stores a chunk once. The bytes are safe before the row says so. */
async function takeChunk(ctx: Context, storage: ObjectStorage, { params, request }: Call): Promise<Reply> {
  const recording = recordingNumber(params['recording'])
  const number = numberOf(params['number'], chunksMax)
  const session = await ownSession(ctx, params['id'] ?? '')
  const place: Place = { session_id: session.id, recording, number }
  const bytes = await bodyOf(request)
  const told = chunkHeadersSchema.safeParse(request.headers)
  if (!told.success) throw invalid(String(told.error.issues[0]?.path[0] ?? 'headers'), 'error')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (sha256 !== told.data[headers.sha256]) throw new ApiError(400, 'chunk_checksum')
  if (typeof (await storedRecording(ctx.db, session.id, recording))?.chunks === 'number') {
    const known = await storedChunk(ctx.db, place)
    if (known?.sha256 === sha256) return new Reply(200, { is_complete: true })
    throw known ? differs(number) : new ApiError(409, 'recording_finished')
  }
  const frames = await inflated(bytes)
  if (frames === undefined)
    throw new ApiError(400, 'chunk_not_zstd', { params: { max: inflatedChunkMaxBytes } })
  const chunk: Chunk = {
    ...place,
    start_ms: told.data[headers.startMs],
    end_ms: told.data[headers.endMs],
    size: bytes.byteLength,
    sha256,
    is_keyframe: told.data[headers.keyframe] === '1',
  }
  await storage.put(keyOf(chunk), bytes)
  if (!(await keepChunk(ctx.db, chunk, number === 1 ? kindOf(frames) : null))) {
    // Another delivery of this number came first.
    if ((await storedChunk(ctx.db, place))?.sha256 === sha256) return new Reply(200, {})
    await storage.delete(keyOf(chunk))
    throw differs(number)
  }
  const { [headers.recordingChunks]: chunks, [headers.recordingMs]: duration_ms } = told.data
  if (chunks !== undefined && duration_ms !== undefined) {
    const isComplete = await finishIfComplete(ctx.db, place, { chunks, duration_ms })
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
  { id, recording: named }: { id: string; recording?: string },
  facts: FinishedRecording,
): Promise<Record<string, never>> {
  const recording = recordingNumber(named)
  const session = await ownSession(ctx, id, { lock: true })
  const lacking = await ctx.db.execute<{ number: number }>(
    sql`select number from generate_series(1, ${facts.chunks}::int) as number
      where not exists (select 1 from ${recordingChunks}
        where ${isOf(session.id, recording)} and ${recordingChunks.number} = number.number)
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
  await finishIfComplete(ctx.db, { session_id: session.id, recording }, facts)
  return {}
}

/** Ends a recording where nothing of it is missing, and says in the books that there is one. */
async function finishIfComplete(
  db: Executor,
  { session_id, recording }: Omit<Place, 'number'>,
  { chunks, duration_ms }: Pick<FinishedRecording, 'chunks' | 'duration_ms'>,
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with finished as (
      insert into ${recordings} (session_id, number, chunks, duration_ms)
      select ${session_id}::uuid, ${recording}::int, ${chunks}::int, ${duration_ms}::int
      where ${chunks} = (select count(*) from ${recordingChunks}
        where ${isOf(session_id, recording)} and ${recordingChunks.number} <= ${chunks})
      on conflict (session_id, number) do update set chunks = excluded.chunks, duration_ms = excluded.duration_ms
        where excluded.chunks >= coalesce(${recordings.chunks}, 0)
      returning session_id, chunks)
    update ${sessions} set replay_version = 3, has_replay = has_replay or chunks > 0
    from finished where id = session_id returning id`)
  return rows.length > 0
}

const indexMax = 200_000

/** The chunks of a recording in order. */
export async function chunksOf(db: Executor, sessionId: string, recording = 1): Promise<Chunk[]> {
  return await db
    .select()
    .from(recordingChunks)
    .where(isOf(sessionId, recording))
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

/**
 * What the first chunk tells: the kind of recording, and the window at the beginning by the first resize or snapshot.
 * @throws ApiError 409 where it is lost or damaged, or holds no frames that can be read
 */
export async function beginning(
  storage: ObjectStorage,
  first: Chunk | undefined,
): Promise<RecordingHeader & { cols: number; rows: number }> {
  try {
    const frames = headOf(first ? await framesOf(storage, first) : Buffer.alloc(0))
    const sized = frames.find(({ type }) => type === frameType.resize || type === frameType.snapshot)
    return { ...headerOf(frames), ...(sized ? decodeSize(sized.payload) : { cols: 80, rows: 24 }) }
  } catch (error) {
    // The storage itself cannot be reached.
    if (error instanceof ApiError) throw error
    throw new ApiError(409, 'recording_unreadable', { cause: error })
  }
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

const isComplete = (chunks: number | null | undefined, { end_reason }: SessionRow) =>
  typeof chunks === 'number' && !cutOff.has(end_reason ?? '')

export async function recordingIndex(
  ctx: Context,
  storage: ObjectStorage,
  { id, recording: named }: { id: string; recording?: string },
): Promise<RecordingIndex> {
  const number = recordingNumber(named)
  const session = await visibleSession(ctx, id)
  const recording = await storedRecording(ctx.db, session.id, number)
  const chunks = await chunksOf(ctx.db, session.id, number)
  const last = chunks.at(-1)
  if (last === undefined) throw new ApiError(404, 'recording_missing')
  const begun = await beginning(storage, chunks[0])
  await recordViewing(ctx, session)
  return {
    ...begun,
    duration_ms: recording?.duration_ms ?? last.end_ms,
    is_complete: isComplete(recording?.chunks, session),
    chunks: chunks.map(({ number, start_ms, end_ms, size, is_keyframe }) => ({
      number,
      start_ms,
      end_ms,
      size,
      is_keyframe,
    })),
  }
}

/** The recordings of a session something has arrived of. */
export async function recordingsOf(ctx: Context, id: string): Promise<SessionRecordings> {
  const session = await visibleSession(ctx, id)
  const rows = await ctx.db
    .select({
      number: recordings.number,
      kind: recordings.kind,
      chunks: recordings.chunks,
      duration_ms: sql<number>`coalesce(${recordings.duration_ms}, max(${recordingChunks.end_ms}))`,
      bytes: sql<number>`sum(${recordingChunks.size})`.mapWith(Number),
    })
    .from(recordings)
    .innerJoin(recordingChunks, isOf(session.id, sql`${recordings.number}`))
    .where(eq(recordings.session_id, session.id))
    .groupBy(recordings.session_id, recordings.number)
    .orderBy(asc(recordings.number))
  return rows.map(({ chunks, ...row }) => ({ ...row, is_complete: isComplete(chunks, session) }))
}

const takesZstd = (request: FastifyRequest) =>
  /(^|,)\s*zstd\s*(;\s*q=(?!0(\.0*)?\s*(,|$))[\d.]+\s*)?(,|$)/i.test(request.headers['accept-encoding'] ?? '')

async function sendChunk(ctx: Context, storage: ObjectStorage, { params, request, reply }: Call) {
  const recording = recordingNumber(params['recording'])
  const number = numberOf(params['number'], chunksMax)
  const session = await visibleSession(ctx, params['id'] ?? '')
  const chunk = await storedChunk(ctx.db, { session_id: session.id, recording, number })
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
  const plain = passedThrough(stored, createZstdDecompress())
  plain.once('close', () => stored.destroy())
  return reply.send(plain)
}

/** Of the first recording, and of any. */
const paths = [1, ':recording'].map(
  (recording) => `/api/v1/terminal/sessions/:id/${chunkPath(recording, ':number')}`,
)

/** Chunks are files, not JSON. */
export const recordingRoutes = ({ storage }: Pick<TerminalServices, 'storage'>): RouteByHand[] =>
  paths.flatMap((path) => [
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
  ])
