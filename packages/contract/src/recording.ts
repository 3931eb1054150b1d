/**
 * The recording format: a recording is a row of numbered chunks, a chunk is zstd of frames, a frame is
 * type (1 byte), time in ms since the session began (varint), payload length (varint), payload. The first frame
 * is a header that says of which kind the recording is; readers skip frames they do not know.
 * See docs/decisions/0002-gateway-and-server.md. Pure: the gateway writes with it, server and console read with it.
 */
import { z } from 'zod'
import { endReasons } from './end-reasons.ts'

export const frameType = {
  /** Bytes the person was shown. */
  output: 1,
  /** Number of bytes the person sent (varint); what was typed at a prompt without echo is a secret. */
  input: 2,
  /** cols and rows, two big-endian u16. */
  resize: 3,
  /** UTF-8 JSON, one `RecordingMark`. */
  mark: 4,
  /** Error output of an exec channel. */
  errorOutput: 5,
  /** cols and rows (two big-endian u16), then the bytes that paint the screen as it was at this moment. */
  snapshot: 6,
  /** Bytes sent to an exec channel. */
  inputContent: 7,
  /** UTF-8 JSON, one `RecordingHeader`; recordings of the beginning have none. */
  header: 8,
} as const
/** Types are given out up to this one; the rest is no recording. */
const frameTypeMax = 127

export type FrameType = (typeof frameType)[keyof typeof frameType]

export interface Frame {
  /** A `FrameType`, or one of tomorrow. */
  type: number
  /** ms since the session began */
  timeMs: number
  payload: Uint8Array
}

/** A chunk is sealed when its frames reach this size … */
export const chunkMaxBytes = 1024 * 1024
/** … or when its first frame is this old. */
export const chunkMaxMs = 1000
/** Output is split into frames of at most this size. */
export const outputFrameMaxBytes = 64 * 1024
/** No frame of any type is larger; a decoder refuses more. */
export const frameMaxBytes = 1024 * 1024
/** No chunk is larger once inflated: frames up to the bound, one snapshot before and one frame beyond. */
export const inflatedChunkMaxBytes = chunkMaxBytes + 2 * frameMaxBytes

export const endReasonSchema = z.enum(endReasons)
export type EndReason = z.infer<typeof endReasonSchema>

export const recordingHeaderSchema = z.object({
  /** What was recorded: one of `recordingVersions`, or one of tomorrow. */
  kind: z.string().max(32),
  /** Grows when frames of the kind come to mean something else, not when there are more of them. */
  version: z.number().int().nonnegative(),
})
export type RecordingHeader = z.infer<typeof recordingHeaderSchema>

/** The kinds this program can show, and the newest version it understands. */
export const recordingVersions = { terminal: 1, command: 1 } as const
export type RecordingKind = keyof typeof recordingVersions

export function isReadable({ kind, version }: RecordingHeader): boolean {
  return Object.entries(recordingVersions).some(([known, newest]) => known === kind && version <= newest)
}

const directionSchema = z.object({
  bytes: z.number().int().nonnegative(),
  /** hex */
  sha256: z.string().length(64),
  /** How many of the bytes the recording holds. */
  recorded_bytes: z.number().int().nonnegative(),
})

export const exitSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), code: z.number().int() }),
  z.object({ kind: z.literal('signal'), name: z.string().max(32) }),
  z.object({ kind: z.literal('lost') }),
])

const participantFields = {
  user_id: z.string(),
  user: z.string(),
  rights: z.object({ read: z.boolean(), write: z.boolean() }),
}

/** What a mark frame says. Readers skip a `kind` they do not know. */
export const recordingMarkSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('exec_start'), command: z.string() }),
  z.object({
    kind: z.literal('exec_end'),
    exit: exitSchema,
    stdin: directionSchema,
    stdout: directionSchema,
    stderr: directionSchema,
  }),
  /** The person's connection was lost, or came back. */
  z.object({ kind: z.literal('detached') }),
  z.object({ kind: z.literal('attached') }),
  /** Somebody else takes part, or does no more. */
  z.object({ kind: z.literal('joined'), ...participantFields }),
  z.object({ kind: z.literal('left'), ...participantFields }),
  z.object({ kind: z.literal('end'), reason: endReasonSchema, detail: z.string() }),
])
export type RecordingMark = z.infer<typeof recordingMarkSchema>

/** A session has so many recordings at most: the first, which every session has, and those opened beside it. */
export const recordingsMax = 64

/** `GET terminal/sessions/{id}/recordings/`: those something has arrived of, by number. */
export const sessionRecordingsSchema = z.array(
  z.object({
    number: z.number().int().positive(),
    /** Of its header; null where its beginning has not arrived. */
    kind: z.string().nullable(),
    duration_ms: z.number(),
    /** As they are stored. */
    bytes: z.number(),
    is_complete: z.boolean(),
  }),
)
export type SessionRecordings = z.infer<typeof sessionRecordingsSchema>

/** `GET terminal/sessions/{id}/recording/` of the first one, `GET terminal/sessions/{id}/recordings/{recording}/` of any. */
export const recordingIndexSchema = recordingHeaderSchema.extend({
  cols: z.number().int(),
  rows: z.number().int(),
  duration_ms: z.number(),
  /** False while parts are to come, and for good when the gateway was lost: it takes up to the last second with it. */
  is_complete: z.boolean(),
  chunks: z.array(
    z.object({
      number: z.number().int().positive(),
      start_ms: z.number(),
      end_ms: z.number(),
      size: z.number(),
      is_keyframe: z.boolean(),
    }),
  ),
})
export type RecordingIndex = z.infer<typeof recordingIndexSchema>

/**
 * Where a chunk of a recording is, below its session. The first recording has the addresses of the time when there was one, which older
 * servers know.
 */
export const chunkPath = (recording: number | string, chunk: number | string) =>
  `${recording === 1 ? 'recording' : `recordings/${recording}`}/chunks/${chunk}/`

export class RecordingFormatError extends Error {
  override name = 'RecordingFormatError'
}

/** Largest header a frame can have: type, 7 bytes of time, 5 bytes of length. */
export const frameHeaderMaxBytes = 13
const timeMaxMs = 2 ** 48

function writeVarint(target: Uint8Array, offset: number, value: number): number {
  let at = offset
  let rest = value
  while (rest >= 0x80) {
    target[at++] = (rest % 0x80) | 0x80
    rest = Math.floor(rest / 0x80)
  }
  target[at++] = rest
  return at
}

/**
 * Writes one frame's header at `offset` and returns the offset behind it; the payload follows there. The target needs
 * `frameHeaderMaxBytes` of room. `timeMs` is rounded down.
 */
export function writeFrameHeader(
  target: Uint8Array,
  offset: number,
  type: FrameType,
  timeMs: number,
  payloadBytes: number,
): number {
  target[offset] = type
  const behindTime = writeVarint(target, offset + 1, Math.max(0, Math.floor(timeMs)))
  return writeVarint(target, behindTime, payloadBytes)
}

/** One frame as bytes. Throws RecordingFormatError when the payload is larger than `frameMaxBytes`. */
export function encodeFrame(type: FrameType, timeMs: number, payload: Uint8Array): Uint8Array {
  if (payload.byteLength > frameMaxBytes) throw new RecordingFormatError('frame too large')
  const bytes = new Uint8Array(frameHeaderMaxBytes + payload.byteLength)
  const behindHeader = writeFrameHeader(bytes, 0, type, timeMs, payload.byteLength)
  bytes.set(payload, behindHeader)
  return bytes.subarray(0, behindHeader + payload.byteLength)
}

/** Payload of an input frame. */
export function encodeCount(count: number): Uint8Array {
  const bytes = new Uint8Array(7)
  return bytes.subarray(0, writeVarint(bytes, 0, count))
}

/** The number in an input frame's payload. */
export function decodeCount(payload: Uint8Array): number {
  const read = readVarint(payload, 0, payload.byteLength)
  if (!read) throw new RecordingFormatError('count cut off')
  return read.value
}

/** Payload of a resize frame, and the head of a snapshot's. */
export function encodeSize(size: { cols: number; rows: number }): Uint8Array {
  return Uint8Array.of(size.cols >> 8, size.cols & 0xff, size.rows >> 8, size.rows & 0xff)
}

/** Size in a resize frame, or at the head of a snapshot. */
export function decodeSize(payload: Uint8Array): { cols: number; rows: number } {
  if (payload.byteLength < 4) throw new RecordingFormatError('size cut off')
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength)
  return { cols: view.getUint16(0), rows: view.getUint16(2) }
}

/** Payload of the header of a recording of that kind, in its newest version. */
export function encodeHeader(kind: RecordingKind): Uint8Array {
  const header: RecordingHeader = { kind, version: recordingVersions[kind] }
  return new TextEncoder().encode(JSON.stringify(header))
}

/** What a recording is and how large its window was is told by these frames at its beginning. */
const headFrames = 64
/** The first frames of a recording's first chunk, inflated: those that tell what it is. */
export const headOf = (bytes: Uint8Array): Frame[] => framesIn(bytes).take(headFrames).toArray()

/** What a recording's first frames say it is. One without a header is a terminal or a command, of version 0. */
export function headerOf(first: readonly Frame[]): RecordingHeader {
  const header = first.find(({ type }) => type === frameType.header)
  if (header) return recordingHeaderSchema.parse(jsonOf(header.payload, 'header'))
  const isCommand = first.some(
    ({ type, payload }) => type === frameType.mark && decodeMark(payload)?.kind === 'exec_start',
  )
  return { kind: isCommand ? 'command' : 'terminal', version: 0 }
}

function jsonOf(payload: Uint8Array, what: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(payload))
  } catch (cause) {
    throw new RecordingFormatError(`${what} is not JSON`, { cause })
  }
}

/** Payload of a mark frame. */
export function encodeMark(mark: RecordingMark): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(mark))
}

/** The mark in a payload, or undefined when it is of a kind this program does not know. */
export function decodeMark(payload: Uint8Array): RecordingMark | undefined {
  return recordingMarkSchema.safeParse(jsonOf(payload, 'mark')).data
}

function readVarint(
  bytes: Uint8Array,
  offset: number,
  end: number,
): { value: number; next: number } | undefined {
  let value = 0
  let factor = 1
  for (let at = offset; at < end; at++) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, next: at + 1 }
    factor *= 0x80
    if (factor >= timeMaxMs) throw new RecordingFormatError('number too long')
  }
  return undefined
}

/** The frame that begins there, and where the next one does; or how many bytes are needed at least for it to be whole. */
function readFrame(input: Uint8Array, at: number): { frame: Frame; next: number } | number {
  const type = input[at] ?? 0
  if (type === 0 || type > frameTypeMax) throw new RecordingFormatError(`unknown frame type ${type}`)
  const time = readVarint(input, at + 1, input.byteLength)
  const length = time && readVarint(input, time.next, input.byteLength)
  if (!time || !length) return input.byteLength - at + 1
  if (length.value > frameMaxBytes) throw new RecordingFormatError('frame too large')
  const end = length.next + length.value
  if (end > input.byteLength) return end - at
  return { frame: { type, timeMs: time.value, payload: input.subarray(length.next, end) }, next: end }
}

/**
 * Takes bytes as they come and gives the frames that are whole. Payloads are views into the bytes given; copy what you
 * keep. Never holds more than one frame: throws RecordingFormatError on what can be no frame's type, or a frame beyond the
 * bound. Frames of unknown types are given as the others: their length is known.
 */
export class FrameDecoder {
  #parts: Uint8Array[] = []
  #pendingBytes = 0
  /** Fewer bytes than this make no whole frame. */
  #neededBytes = 1

  push(bytes: Uint8Array): Frame[] {
    this.#parts.push(bytes)
    this.#pendingBytes += bytes.byteLength
    if (this.#pendingBytes < this.#neededBytes) {
      // the caller may use its memory again
      this.#parts[this.#parts.length - 1] = bytes.slice()
      return []
    }
    const input = this.#parts.length === 1 ? bytes : joined(this.#parts, this.#pendingBytes)
    const frames: Frame[] = []
    let at = 0
    let needed = 1
    while (at < input.byteLength) {
      const read = readFrame(input, at)
      if (typeof read === 'number') {
        needed = read
        break
      }
      frames.push(read.frame)
      at = read.next
    }
    const rest = input.slice(at)
    this.#parts = rest.byteLength > 0 ? [rest] : []
    this.#pendingBytes = rest.byteLength
    this.#neededBytes = needed
    return frames
  }

  /** Bytes of a frame that is not whole yet; 0 at the end of a sound chunk. */
  get pendingBytes(): number {
    return this.#pendingBytes
  }
}

function joined(parts: Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}

/** The frames of one inflated chunk, one after the other: there may be a million. Throws RecordingFormatError when it is cut off. */
export function* framesIn(bytes: Uint8Array): Generator<Frame, void> {
  for (let at = 0; at < bytes.byteLength;) {
    const read = readFrame(bytes, at)
    if (typeof read === 'number') throw new RecordingFormatError('chunk is cut off')
    yield read.frame
    at = read.next
  }
}

/** All frames of one inflated chunk. Throws RecordingFormatError when it is cut off. */
export const decodeFrames = (bytes: Uint8Array): Frame[] => [...framesIn(bytes)]
