import { expect, test } from 'vitest'
import { defaultDateRange } from './date-range.ts'

test('a list of a period shows from seven days back to a day ahead, in days of 24 hours', () => {
  expect(defaultDateRange(new Date('2026-03-31T10:20:30.000Z'))).toEqual({
    date_from: '2026-03-24T10:20:30.000Z',
    date_to: '2026-04-01T10:20:30.000Z',
  })
})
