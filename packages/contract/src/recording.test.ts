import { expect, test } from 'vitest'
import {
  decodeCount,
  decodeFrames,
  decodeMark,
  decodeSize,
  encodeCount,
  encodeFrame,
  encodeHeader,
  encodeMark,
  encodeSize,
  type Frame,
  FrameDecoder,
  frameMaxBytes,
  framesIn,
  frameType,
  type FrameType,
  headerOf,
  headOf,
  inflatedChunkMaxBytes,
  isReadable,
  RecordingFormatError,
  writeFrameHeader,
} from './recording.ts'
import { storedCommand, storedTerminal } from './recording-stored.ts'

const bytes = (...frames: Uint8Array[]) => Uint8Array.from(frames.flatMap((frame) => [...frame]))
const chunk = bytes(
  encodeFrame(frameType.resize, 0, encodeSize({ cols: 1000, rows: 500 })),
  encodeFrame(frameType.output, 127, new TextEncoder().encode('hello')),
  encodeFrame(frameType.input, 128, encodeCount(300)),
  encodeFrame(frameType.mark, 2 ** 40, encodeMark({ kind: 'end', reason: 'killed', detail: 'Eve' })),
  encodeFrame(frameType.output, 2 ** 40, new Uint8Array(70_000).fill(7)),
)

test('a chunk of a million frames tells what it is by the first of them', () => {
  const many = Uint8Array.of(frameType.mark, 0, 1, 0x31)
  const chunk = new Uint8Array(inflatedChunkMaxBytes)
  for (let at = 0; at < chunk.length; at += many.length) chunk.set(many, at)
  const before = process.threadCpuUsage().user
  expect(headerOf(headOf(chunk))).toEqual({ kind: 'terminal', version: 0 })
  expect((process.threadCpuUsage().user - before) / 1000).toBeLessThan(50)
  expect(framesIn(chunk).take(1_000_000).toArray()).toHaveLength(inflatedChunkMaxBytes / 4)
})

test('what is written comes back: types, times, sizes, counts and marks', () => {
  const frames = decodeFrames(chunk)
  expect(frames.map(({ type, timeMs }) => [type, timeMs])).toEqual([
    [3, 0],
    [1, 127],
    [2, 128],
    [4, 2 ** 40],
    [1, 2 ** 40],
  ])
  const [size, hello, count, mark] = frames.map((frame) => frame.payload)
  expect(size && decodeSize(size)).toEqual({ cols: 1000, rows: 500 })
  expect(new TextDecoder().decode(hello)).toBe('hello')
  expect(count && decodeCount(count)).toBe(300)
  expect(mark && decodeMark(mark)).toEqual({ kind: 'end', reason: 'killed', detail: 'Eve' })
  expect(frames[4]?.payload.byteLength).toBe(70_000)
})

test('it can be read in pieces of any length', () => {
  const whole = decodeFrames(chunk).map((frame) => [frame.type, frame.timeMs, frame.payload.byteLength])
  for (const length of [1, 2, 3, 7, 1000]) {
    const decoder = new FrameDecoder()
    const frames = []
    for (let at = 0; at < chunk.byteLength; at += length) {
      frames.push(...decoder.push(chunk.subarray(at, at + length)))
    }
    expect(frames.map((frame) => [frame.type, frame.timeMs, frame.payload.byteLength])).toEqual(whole)
    expect(decoder.pendingBytes).toBe(0)
  }
})

const stored = (base64: string) => decodeFrames(Uint8Array.fromBase64(base64))
const textOf = (frames: Frame[], type: number) =>
  new TextDecoder().decode(
    bytes(...frames.filter((frame) => frame.type === type).map(({ payload }) => payload)),
  )

test('what was stored before recordings had headers is read as the terminal or the command it is', () => {
  const terminal = stored(storedTerminal)
  expect(headerOf(terminal)).toEqual({ kind: 'terminal', version: 0 })
  expect(terminal[0] && decodeSize(terminal[0].payload)).toEqual({ cols: 91, rows: 33 })
  expect(textOf(terminal, frameType.output)).toContain('\rhéllo-42\r\n')
  const command = stored(storedCommand)
  expect(headerOf(command)).toEqual({ kind: 'command', version: 0 })
  expect(textOf(command, frameType.output)).toBe('out\n')
  expect(command.map(({ type, payload }) => type === frameType.mark && decodeMark(payload)?.kind)).toEqual([
    false,
    'exec_start',
    false,
    false,
    'exec_end',
    'end',
  ])
  for (const header of [headerOf(terminal), headerOf(command)]) expect(isReadable(header)).toBe(true)
})

test('a recording says of which kind and version it is, and a reader knows whether it can show it', () => {
  const frames = decodeFrames(encodeFrame(frameType.header, 0, encodeHeader('command')))
  expect(headerOf(frames)).toEqual({ kind: 'command', version: 1 })
  expect(isReadable(headerOf(frames))).toBe(true)
  expect(isReadable({ kind: 'screen', version: 1 })).toBe(false)
  expect(isReadable({ kind: 'terminal', version: 99 })).toBe(false)
})

test('frames of tomorrow are passed over by their length', () => {
  const tomorrow = encodeFrame(100 as FrameType, 5, new Uint8Array(300))
  const frames = decodeFrames(bytes(chunk, tomorrow, chunk))
  expect(frames.map(({ type }) => type)).toEqual([3, 1, 2, 4, 1, 100, 3, 1, 2, 4, 1])
})

test('what is not a recording is refused, and no length in it is trusted', () => {
  for (const type of [0, 128, 255])
    expect(() => decodeFrames(Uint8Array.of(type, 0, 0))).toThrow(RecordingFormatError)
  expect(() => decodeFrames(chunk.subarray(0, -1))).toThrow('cut off')
  const huge = new Uint8Array(13)
  writeFrameHeader(huge, 0, frameType.output, 0, frameMaxBytes + 1)
  expect(() => new FrameDecoder().push(huge)).toThrow('too large')
  expect(() => new FrameDecoder().push(new Uint8Array(20).fill(0xff).fill(1, 0, 1))).toThrow('too long')
  expect(() => decodeMark(new TextEncoder().encode('{'))).toThrow('not JSON')
  expect(decodeMark(new TextEncoder().encode('{"kind":"of-tomorrow"}'))).toBeUndefined()
})
