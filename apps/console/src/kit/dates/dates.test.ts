import { expect, test } from 'vitest'
import { parseDate, showDateTime } from './dates.ts'

test('the dates of the server are read whatever form they come in', () => {
  const expected = '2023-03-20T02:11:12.000Z'
  for (const text of ['2023/03/20 10:11:12 +0800', '2023-03-20 10:11:12 +0800', '2023-03-20T02:11:12Z']) {
    expect(parseDate(text)?.toISOString()).toBe(expected)
  }
})

test('no date is shown as a dash', () => {
  expect(showDateTime(null)).toBe('-')
  expect(showDateTime('')).toBe('-')
  expect(showDateTime('soon')).toBe('-')
})
