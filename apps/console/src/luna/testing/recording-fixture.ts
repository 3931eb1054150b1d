/** Recordings for tests: written with the contract's own codec, kept as the server keeps them. */
import { zstdCompressSync } from 'node:zlib'
import {
  encodeFrame,
  encodeMark,
  encodeSize,
  frameType,
  type FrameType,
  type RecordingIndex,
  type RecordingMark,
} from '@sallyport/contract/recording'

interface PlannedFrame {
  type: FrameType
  timeMs: number
  payload: Uint8Array
}

const bytes = (text: string) => new TextEncoder().encode(text)

export const output = (timeMs: number, text: string): PlannedFrame => ({
  type: frameType.output,
  timeMs,
  payload: bytes(text),
})

export const errorOutput = (timeMs: number, text: string): PlannedFrame => ({
  type: frameType.errorOutput,
  timeMs,
  payload: bytes(text),
})

export const mark = (timeMs: number, value: RecordingMark): PlannedFrame => ({
  type: frameType.mark,
  timeMs,
  payload: encodeMark(value),
})

export const resize = (timeMs: number, cols: number, rows: number): PlannedFrame => ({
  type: frameType.resize,
  timeMs,
  payload: encodeSize({ cols, rows }),
})

export function snapshot(timeMs: number, size: { cols: number; rows: number }, screen: string): PlannedFrame {
  const paint = bytes(screen)
  const payload = new Uint8Array(4 + paint.byteLength)
  payload.set(encodeSize(size))
  payload.set(paint, 4)
  return { type: frameType.snapshot, timeMs, payload }
}

export interface FixtureRecording {
  index: RecordingIndex
  /** Stored chunks by number, zstd. */
  chunks: Map<number, Buffer>
}

/** A recording of the given chunks; one that begins with a snapshot is a keyframe. */
export function recordingOf(
  size: { cols: number; rows: number },
  planned: PlannedFrame[][],
): FixtureRecording {
  const chunks = new Map<number, Buffer>()
  const rows: RecordingIndex['chunks'] = []
  for (const [at, frames] of planned.entries()) {
    const stored = zstdCompressSync(
      Buffer.concat(frames.map(({ type, timeMs, payload }) => encodeFrame(type, timeMs, payload))),
    )
    chunks.set(at + 1, stored)
    rows.push({
      number: at + 1,
      start_ms: frames[0]?.timeMs ?? 0,
      end_ms: frames.at(-1)?.timeMs ?? 0,
      size: stored.byteLength,
      is_keyframe: frames[0]?.type === frameType.snapshot,
    })
  }
  const duration_ms = rows.at(-1)?.end_ms ?? 0
  return {
    index: { kind: 'terminal', version: 1, ...size, duration_ms, is_complete: true, chunks: rows },
    chunks,
  }
}
