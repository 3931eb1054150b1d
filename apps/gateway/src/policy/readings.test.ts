import { expect, test } from 'vitest'
import { isContinued, readingsBehind, readingsOf, readingsOfAll } from './readings.ts'
import { processorMs } from '../testing/processor-time.ts'

test.each([
  ["r''m -rf x", 'rm -rf x'],
  ['r\\m -rf x', 'rm -rf x'],
  ['"rm" -rf x', 'rm -rf x'],
  ["$'\\x72m' -rf x", 'rm -rf x'],
  ["$'\\162\\u006d' -rf x", 'rm -rf x'],
  ["$'\\x{72}m' -rf x", 'rm -rf x'],
  ["$'\\x{0172m' -rf x", 'rm -rf x'],
  ["$'\\562m' -rf x", 'rm -rf x'],
  ["$'r\\0xx'm -rf x", 'rm -rf x'],
  ["$'r\\x{}xx'm -rf x", 'rm -rf x'],
  ["$'r\\c@xx'm -rf x", 'rm -rf x'],
  ["$'r\\x00xx'm -rf x", 'rm -rf x'],
  ["$'\\U00000072m' -rf x", 'rm -rf x'],
  ['rm${IFS}-rf$IFS/x', 'rm -rf /x'],
  ['r$@m -rf x', 'rm -rf x'],
  ['r\\\nm -rf x', 'rm -rf x'],
  ['ｒｍ -rf x', 'rm -rf x'],
  ['r\u200bm -rf x', 'rm -rf x'],
  ['r\u0301m -rf x', 'rm -rf x'],
  ['$"rm" -rf x', 'rm -rf x'],
  ['r$""m -rf x', 'rm -rf x'],
  ['r$"m" -rf x', 'rm -rf x'],
  [`r$''m -rf x`, 'rm -rf x'],
  ['r``m -rf x', 'rm -rf x'],
  ['r$( )m -rf x', 'rm -rf x'],
  ['r$1m -rf ${2}x', 'rm -rf x'],
  ['r\0m -rf x', 'rm -rf x'],
  ['r^@m -rf x', 'rm -rf x'],
  // The second quote is none where it stands in others, and what follows is in no escapes.
  [`: "$'"; r\\m -rf x`, ': ; rm -rf x'],
])('%j is read as %j, too', (line, bare) => {
  expect(readingsOf(line)).toEqual(expect.arrayContaining([line, bare]))
})

test('a line of nothing but backslashes is read at once', () => {
  const ms = processorMs(() => {
    expect(isContinued(`${'\\'.repeat(500_001)}x`)).toBe(false)
    expect(isContinued('\\'.repeat(500_001))).toBe(true)
    readingsOf('\\'.repeat(500_001))
  })
  expect(ms).toBeLessThan(2000)
})

test('a line of marks that have to be brought in order is read at once', () => {
  const ms = processorMs(() => {
    expect(readingsOf(`r${'\u0301\u0316'.repeat(50_000)}m`)).toContain('rm')
  })
  expect(ms).toBeLessThan(2000)
})

test('a line without quotes or escapes has one reading', () => {
  expect(readingsOf('ls -l $HOME | wc')).toEqual(['ls -l $HOME | wc'])
})

test.each(["$'", "$'\\", '\\', "'", "$'\\U110000'", "$'\\xzz'"])('%j does no harm', (line) => {
  expect(readingsOf(line)).toContain(line)
})

test.each([
  ['a \\', true],
  ['a \\\\', false],
  ['a', false],
])('%j goes on in the next line: %j', (line, isSo) => {
  expect(isContinued(line)).toBe(isSo)
})

test('signs that stand for whole phrases do not make a line longer', () => {
  expect(readingsOf("'ﷺ' ｒｍ").at(-1)).toBe('ﷺ rm')
})

test('lines are read each once, and not at all where they are too many to be searched', () => {
  expect(readingsOfAll(['ls', "'ls'", 'ls'])).toEqual(['ls', "'ls'"])
  expect(readingsOfAll(['ls', 'x'.repeat(200_000)])).toEqual([])
  expect(readingsOfAll([`'${'㈝'.repeat(60_000)}'`])).toEqual([])
})

test('what may still stand before a line is read with it, in all ways', () => {
  expect(readingsBehind(['for', 'to'], ['bidden', 'day'])).toEqual([
    'bidden',
    'forbidden',
    'tobidden',
    'day',
    'forday',
    'today',
  ])
})

test('behind what nobody can read, or in too many ways, a line cannot be read', () => {
  expect(readingsBehind([], ['ls'])).toEqual([])
  const rows = (sign: string) => Array.from({ length: 400 }, (_none, row) => `${row}${sign.repeat(600)}`)
  const before = rows('a')
  const readings = rows('b')
  let behind: string[] | undefined
  expect(processorMs(() => (behind = readingsBehind(before, readings)))).toBeLessThan(50)
  expect(behind).toEqual([])
})
