import { expect, test } from 'vitest'
import {
  decodeCount,
  decodeFrames,
  decodeMark,
  decodeSize,
  encodeCount,
  encodeFrame,
  encodeMark,
  encodeSize,
  FrameDecoder,
  frameMaxBytes,
  frameType,
  RecordingFormatError,
  writeFrameHeader,
} from './recording.ts'

const bytes = (...frames: Uint8Array[]) => Uint8Array.from(frames.flatMap((frame) => [...frame]))
const chunk = bytes(
  encodeFrame(frameType.resize, 0, encodeSize({ cols: 1000, rows: 500 })),
  encodeFrame(frameType.output, 127, new TextEncoder().encode('hello')),
  encodeFrame(frameType.input, 128, encodeCount(300)),
  encodeFrame(frameType.mark, 2 ** 40, encodeMark({ kind: 'end', reason: 'killed', detail: 'Eve' })),
  encodeFrame(frameType.output, 2 ** 40, new Uint8Array(70_000).fill(7)),
)

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

test('what is not a recording is refused, and no length in it is trusted', () => {
  expect(() => decodeFrames(Uint8Array.of(99, 0, 0))).toThrow(RecordingFormatError)
  expect(() => decodeFrames(chunk.subarray(0, -1))).toThrow('cut off')
  const huge = new Uint8Array(13)
  writeFrameHeader(huge, 0, frameType.output, 0, frameMaxBytes + 1)
  expect(() => new FrameDecoder().push(huge)).toThrow('too large')
  expect(() => new FrameDecoder().push(new Uint8Array(20).fill(0xff).fill(1, 0, 1))).toThrow('too long')
  expect(() => decodeMark(new TextEncoder().encode('{'))).toThrow('not JSON')
  expect(decodeMark(new TextEncoder().encode('{"kind":"of-tomorrow"}'))).toBeUndefined()
})
