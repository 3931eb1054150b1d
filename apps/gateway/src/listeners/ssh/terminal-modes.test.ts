import { expect, test } from 'vitest'
import { passedModes } from './terminal-modes.ts'

const encoded = (...modes: [opcode: number, value: number][]) =>
  Buffer.from([...modes.flatMap(([opcode, value]) => [opcode, 0, 0, 0, value]), 0])

test('the key that erases, UTF-8, the stopping of output and speeds are told', () => {
  const told = encoded([3, 8], [42, 1], [38, 0], [128, 96], [129, 96])
  expect(passedModes(told)).toEqual(told)
})

test('what would have other keys end or erase a line, or show nothing of it, is not', () => {
  const [eol, intr, echo, canonical, strip] = [6, 1, 53, 51, 33]
  expect(
    passedModes(encoded([eol, 88], [intr, 24], [echo, 0], [canonical, 0], [strip, 1], [3, 13], [4, 64])),
  ).toEqual(Buffer.of(0))
})

test('each is told once, and nothing behind what cannot be read', () => {
  expect(passedModes(encoded([3, 8], [3, 127]))).toEqual(encoded([3, 127]))
  expect(
    passedModes(Buffer.concat([encoded([42, 1]).subarray(0, 5), Buffer.of(200, 1), encoded([3, 8])])),
  ).toEqual(encoded([42, 1]))
  expect(passedModes(encoded([42, 1]).subarray(0, 3))).toEqual(Buffer.of(0))
  expect(passedModes(Buffer.alloc(0))).toEqual(Buffer.of(0))
  expect(passedModes(Buffer.alloc(4096, 38)).length).toBeLessThan(60)
})
