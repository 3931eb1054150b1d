import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { decodeFrames, type Frame } from '@sallyport/contract/recording'

const inflate = promisify(zstdDecompress)

export interface StoredRecording {
  chunks: Map<number, { bytes: Buffer; start_ms: number; end_ms: number; is_keyframe: boolean }>
  finished?: { chunks: number; duration_ms: number; bytes: number }
}

export interface Reply {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

export const refuse = (status: number, code: string, detail: string): Reply => ({
  status,
  body: { code, detail },
})

/** All frames the server has, in order. */
export async function framesOf(recording: StoredRecording | undefined): Promise<Frame[]> {
  const chunks: StoredRecording['chunks'] = recording?.chunks ?? new Map()
  const frames: Frame[] = []
  for (let number = 1; number <= chunks.size; number++) {
    const chunk = chunks.get(number)
    if (!chunk) throw new Error(`chunk ${number} is missing`)
    frames.push(...decodeFrames(await inflate(chunk.bytes)))
  }
  return frames
}

/** Stores a chunk as the server does: once, and never another one under its number. */
export function putChunk(
  recordings: Map<string, StoredRecording>,
  request: { headers: IncomingHttpHeaders; bytes: Buffer },
  id: string,
  number: number,
): Reply {
  const digest = createHash('sha256').update(request.bytes).digest('hex')
  if (digest !== request.headers['x-chunk-sha256']) return refuse(400, 'chunk_damaged', 'Damaged')
  const recording: StoredRecording = recordings.get(id) ?? { chunks: new Map() }
  recordings.set(id, recording)
  const known = recording.chunks.get(number)
  if (known) {
    return known.bytes.equals(request.bytes)
      ? { status: 200, body: {} }
      : refuse(409, 'chunk_differs', 'Differs')
  }
  recording.chunks.set(number, {
    bytes: request.bytes,
    start_ms: Number(request.headers['x-chunk-start']),
    end_ms: Number(request.headers['x-chunk-end']),
    is_keyframe: request.headers['x-chunk-keyframe'] === '1',
  })
  const chunks = Number(request.headers['x-recording-chunks'])
  const is_complete = chunks > 0 && recording.chunks.size === chunks
  const bytes = [...recording.chunks.values()].reduce((sum, chunk) => sum + chunk.bytes.byteLength, 0)
  if (is_complete)
    recording.finished = { chunks, duration_ms: Number(request.headers['x-recording-ms']), bytes }
  return { status: 201, body: { is_complete } }
}

/** Says which chunks are missing, or closes the recording. */
export function finishRecording(recordings: Map<string, StoredRecording>, json: unknown, id: string): Reply {
  const facts = z.object({ chunks: z.number(), duration_ms: z.number(), bytes: z.number() }).parse(json)
  const recording: StoredRecording = recordings.get(id) ?? { chunks: new Map() }
  recordings.set(id, recording)
  const missing: number[] = []
  for (let number = 1; number <= facts.chunks; number++) {
    if (!recording.chunks.has(number)) missing.push(number)
  }
  if (missing.length > 0) return { status: 409, body: { code: 'chunks_missing', missing } }
  recording.finished = facts
  return { status: 200, body: {} }
}
