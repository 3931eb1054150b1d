import { expect, test } from 'vitest'
import { problemsOf, readPage, rowsOf } from './spec-coverage.mjs'

const whole = readPage()

test('the page on the specifications names only files and tests that exist, and counts right', () => {
  expect(problemsOf(whole)).toEqual([])
})

test('a wrong path, test, state, number or count is noticed', () => {
  const row = whole.split('\n').find((line) => line.startsWith('| 1-1.1 |')) ?? ''
  const [, , , where = '', tests = ''] = row.split('|')
  const spoilt = [
    row.replace(where, ' `apps/nothing.ts` '),
    row.replace(tests, ' `scripts/start.test.ts`: no such test '),
    row.replace(/done \|$/, 'nearly |'),
    row.replace(/done \|$/, 'done, no test |'),
    row.replace('1-1.1', '1-1.7'),
    row.replace(/ \| done \|$/, ' |'),
  ]
  expect(rowsOf(row)).toHaveLength(1)
  for (const line of spoilt) {
    expect(line).not.toBe(row)
    expect(problemsOf(whole.replace(row, line))).not.toEqual([])
  }
  expect(problemsOf(whole.replace('| all | ', '| all | 1'))).toHaveLength(1)
})
