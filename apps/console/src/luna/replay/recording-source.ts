/**
 * A recording of a session as the browser reads it: the index at once, chunks only when they are needed. What was read stays for a while,
 * within a bound, so that seeking back and forth near one place does not ask the server again.
 */
import {
  chunkPath,
  decodeFrames,
  type Frame,
  inflatedChunkMaxBytes,
  type RecordingIndex,
  recordingIndexSchema,
  type SessionRecordings,
  sessionRecordingsSchema,
} from '@sallyport/contract/recording'
import { detailUrl } from '@sallyport/contract/resource/resource'
import { Session } from '@sallyport/contract/resources/terminal'
import { call } from '../../kit/api/call.ts'
import { api } from '../../kit/api/client.ts'

const keptBytes = 16 * 1024 * 1024

interface Kept {
  frames: Frame[]
  bytes: number
}

/** What there is of a session. Rejects with ApiError where the person may not see it. */
export async function loadRecordings(id: string, signal: AbortSignal): Promise<SessionRecordings> {
  return sessionRecordingsSchema.parse(await call(Session, 'recordings', { id }, { signal }))
}

/** A recording's index. Rejects with ApiError where there is none or the person may not see it. */
export async function loadIndex(id: string, number: number, signal: AbortSignal): Promise<RecordingIndex> {
  const asked =
    number === 1
      ? call(Session, 'recording', { id }, { signal })
      : call(Session, 'numbered', { id, recording: String(number) }, { signal })
  return recordingIndexSchema.parse(await asked)
}

export class RecordingSource {
  index: RecordingIndex
  private readonly sessionId: string
  private readonly number: number
  /** By chunk number; the least recently used comes first. */
  private readonly kept = new Map<number, Kept>()
  private readonly loading = new Map<number, Promise<Frame[]>>()
  private keptNow = 0

  constructor(sessionId: string, number: number, index: RecordingIndex) {
    this.sessionId = sessionId
    this.number = number
    this.index = index
  }

  get chunkCount() {
    return this.index.chunks.length
  }

  /**
   * The place (in the index's order) to begin reading from to show the screen at a time: the last screen snapshot before it, or the
   * beginning. `hasSnapshot` tells which.
   */
  placeBefore(timeMs: number): { place: number; hasSnapshot: boolean } {
    const place = this.index.chunks.findLastIndex((chunk) => chunk.is_keyframe && chunk.start_ms <= timeMs)
    return place >= 0 ? { place, hasSnapshot: true } : { place: 0, hasSnapshot: false }
  }

  /** The frames of the chunk at a place. Rejects with ApiError or RecordingFormatError. */
  async frames(place: number): Promise<Frame[]> {
    const chunk = this.index.chunks[place]
    if (!chunk) return []
    const kept = this.kept.get(chunk.number)
    if (kept) {
      this.kept.delete(chunk.number)
      this.kept.set(chunk.number, kept)
      return kept.frames
    }
    const running = this.loading.get(chunk.number)
    if (running) return running
    const promise = this.load(chunk.number)
    this.loading.set(chunk.number, promise)
    try {
      return await promise
    } finally {
      this.loading.delete(chunk.number)
    }
  }

  /** Begins to read a chunk that is likely wanted soon. A failure shows when it is wanted. */
  prefetch(place: number) {
    if (place < this.chunkCount) this.frames(place).catch(() => undefined)
  }

  private async load(number: number): Promise<Frame[]> {
    const response = await api.raw(`${detailUrl(Session, this.sessionId)}${chunkPath(this.number, number)}`)
    const bytes = await readBounded(response, inflatedChunkMaxBytes)
    const frames = decodeFrames(bytes)
    this.kept.set(number, { frames, bytes: bytes.byteLength })
    this.keptNow += bytes.byteLength
    for (const [oldest, { bytes: size }] of this.kept) {
      if (this.keptNow <= keptBytes || oldest === number) break
      this.kept.delete(oldest)
      this.keptNow -= size
    }
    return frames
  }
}

/** The answer's body, as long as it is no longer than a chunk may be. */
async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  if (!reader) return new Uint8Array(0)
  const parts: Uint8Array[] = []
  let total = 0
  for (;;) {
    const { value, done } = await reader.read()
    if (done) break
    total += value.byteLength
    if (total > maxBytes) {
      await reader.cancel()
      throw new Error('recording chunk too large')
    }
    parts.push(value)
  }
  const bytes = new Uint8Array(total)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return bytes
}
