import { expect, test } from 'vitest'
import { readTypedDate } from './typed-date.ts'

test('a date is read in the usual spellings', () => {
  const spellings = [
    '12/01/2026 1:05:00 AM',
    '12/1/2026 1:05 am',
    '12/1/2026  01:05',
    '2026-12-01 01:05',
    '2026-12-1 1:05:00',
    ' 2026/12/01 01:05 ',
  ]
  for (const text of spellings) {
    expect(readTypedDate(text)?.format('YYYY-MM-DD HH:mm:ss'), text).toBe('2026-12-01 01:05:00')
  }
  expect(readTypedDate('12/1/2026')?.format('YYYY-MM-DD HH:mm')).toBe('2026-12-01 00:00')
  expect(readTypedDate('2026-12-01 00:00')?.format('YYYY-MM-DD HH:mm')).toBe('2026-12-01 00:00')
})

test('what is no date is not made one', () => {
  for (const text of ['', 'soon', '12/45/2026', '2026-02-30', '2026', '12/1/20', '2026-12-01 25:00']) {
    expect(readTypedDate(text), text).toBeUndefined()
  }
})
