import { expect, test } from 'vitest'
import { table } from './table.ts'
import { fit, width } from '../../../traffic/terminal/width.ts'

test('wide characters count twice, combining ones not at all', () => {
  expect([width('abc'), width('数据库'), width('é'), width('データ'), width('🙂'), width('👩‍👩‍👧')]).toEqual([
    3, 6, 1, 6, 2, 2,
  ])
})

test('a long cell is cut in the middle to the width it has', () => {
  expect([fit('production-database', 9), fit('数据库服务器', 7), fit('ab', 4)]).toEqual([
    'prod…base',
    '数…器  ',
    'ab  ',
  ])
})

test('columns line up whatever the script, and no line is wider than the window', () => {
  const lines = table(
    ['ID', 'Name', 'Comment'],
    [
      ['1', 'web', 'short'],
      ['2', '数据库', 'a very long comment that does not fit in the window at all'],
    ],
    40,
  )
  expect(lines.map((line) => width(line) <= 39)).toEqual([true, true, true, true])
  const bars = lines.map((line) => width(line.slice(0, line.search(/[|+]/))))
  expect(new Set(bars).size).toBe(1)
})

test('text of others can not drive the terminal', () => {
  expect(table(['ID'], [['\u001b[2Jx\r\ny']], 80).at(-1)).toBe('[2Jx y')
})
