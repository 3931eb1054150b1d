/** The compatible replay calls: where a recording is, and taking it along as a file. */
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { formatDatetime, type ReplayFacts } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { refusedAs } from '../../kernel/errors.ts'
import { type Call, route, type RouteByHand } from '../../kernel/http/route.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import { presentFor, storedRow } from '../../kernel/resource/read.ts'
import type { ObjectStorage } from '../../kernel/storage/index.ts'
import { castOf, tarEnd, tarHeader, tarPadding } from './cast.ts'
import { type SessionRow, visibleSession } from './components.ts'
import { type Chunk, chunksOf, recordViewing } from './recording.ts'
import type { TerminalServices } from './services.ts'
import { sessions } from './tables.ts'

const base = (id: string) => `/api/v1/terminal/sessions/${id}/replay/`

/** Its chunks in order. @throws ApiError 404 when there are none. */
async function recordedChunks(ctx: Context, session: SessionRow): Promise<Chunk[]> {
  const chunks = await chunksOf(ctx.db, session.id)
  if (chunks.length === 0) throw refusedAs('error', 404, 'recording_missing')
  return chunks
}

export async function replayFacts(ctx: Context, id: string): Promise<ReplayFacts> {
  const session = await visibleSession(ctx, id)
  await recordedChunks(ctx, session)
  const shown = (date: Date | null) => date && formatDatetime(date, ctx.zone)
  return {
    type: 'asciicast',
    src: `${base(session.id)}cast/`,
    user: session.user,
    asset: session.asset,
    account: session.account,
    date_start: shown(session.date_start),
    date_end: shown(session.date_end),
    download_url: `${base(session.id)}download/`,
  }
}

async function sendCast(ctx: Context, storage: ObjectStorage, { params, reply }: Call) {
  const session = await visibleSession(ctx, params['id'] ?? '')
  const chunks = await recordedChunks(ctx, session)
  const cast = await begun(castOf(storage, session, chunks))
  await recordViewing(ctx, session)
  reply.headers({ 'content-type': 'application/x-asciicast', 'cache-control': 'private, no-store' })
  return reply.send(cast)
}

/** With its first piece read: what cannot be read is an answer, not a file that is cut off. */
async function begun(pieces: AsyncGenerator<string>): Promise<Readable> {
  const first = await pieces.next()
  return Readable.from(
    (async function* () {
      if (first.done === true) return
      yield first.value
      yield* pieces
    })(),
  )
}

/** The tar names its files' sizes first, so the recording is written to a private file before it is sent. */
async function* tarOf(folder: string, id: string, facts: string): AsyncGenerator<Uint8Array> {
  const file = join(folder, 'cast')
  const { size } = await stat(file)
  const now = new Date()
  yield tarHeader(`${id}.cast.gz`, size, now)
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) yield part
  yield tarPadding(size)
  const json = Buffer.from(facts)
  yield tarHeader(`${id}.json`, json.byteLength, now)
  yield json
  yield tarPadding(json.byteLength)
  yield tarEnd
}

async function download(ctx: Context, storage: ObjectStorage, served: Served, { params, reply }: Call) {
  const session = await visibleSession(ctx, params['id'] ?? '')
  const chunks = await recordedChunks(ctx, session)
  const row = await storedRow(served, ctx, eq(sessions.id, session.id))
  if (row === undefined) throw refusedAs('error', 404, 'recording_missing')
  await recordViewing(ctx, session)
  const facts = JSON.stringify(presentFor(served, ctx, row, 'detail'))
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-replay-'))
  const clear = () => rm(folder, { recursive: true, force: true })
  try {
    await pipeline(
      Readable.from(castOf(storage, session, chunks)),
      createGzip(),
      createWriteStream(join(folder, 'cast'), { mode: 0o600 }),
    )
  } catch (error) {
    await clear()
    throw error
  }
  const stream = Readable.from(tarOf(folder, session.id, facts))
  stream.once('close', () => {
    clear().catch((error: unknown) => reply.log.warn({ err: error }, 'a temporary recording was left behind'))
  })
  reply.headers({
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${session.id}.tar"`,
    'cache-control': 'private, no-store',
  })
  return reply.send(stream)
}

/** Files, not JSON. `served` is how sessions are shown. */
export const replayRoutes = (
  { storage }: Pick<TerminalServices, 'storage'>,
  served: Served,
): RouteByHand[] => [
  route({
    method: 'GET',
    path: `${base(':id')}cast/`,
    access: { oneOf: ['terminal.view_sessionreplay'] },
    byHand: 'a file',
    handler: (ctx, call) => sendCast(ctx, storage, call),
  }),
  route({
    method: 'GET',
    path: `${base(':id')}download/`,
    access: { oneOf: ['terminal.download_sessionreplay'] },
    byHand: 'a file',
    handler: (ctx, call) => download(ctx, storage, served, call),
  }),
]
