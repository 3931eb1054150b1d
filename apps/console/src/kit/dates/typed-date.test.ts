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

test('a day that ends something is typed as all of it, unless a time is typed', () => {
  const end = (text: string) => readTypedDate(text, true)?.format('YYYY-MM-DD HH:mm:ss')
  expect(end('12/1/2026')).toBe('2026-12-01 23:59:59')
  expect(end('2026-12-01 00:00')).toBe('2026-12-01 00:00:00')
  expect(end('12/1/2026 1:05 am')).toBe('2026-12-01 01:05:00')
})

test('a moment is read as machines write it, in the zone it names', () => {
  for (const text of ['2027-01-05T10:00:00Z', '2027-01-05T12:00:00.5+0200', '2027/01/05 18:00:00 +0800'])
    expect(readTypedDate(text)?.toISOString().slice(0, 19), text).toBe('2027-01-05T10:00:00')
  expect(readTypedDate('2027-02-30T10:00:00Z')).toBeUndefined()
})

test('what is no date is not made one', () => {
  for (const text of ['', 'soon', '12/45/2026', '2026-02-30', '2026', '12/1/20', '2026-12-01 25:00']) {
    expect(readTypedDate(text), text).toBeUndefined()
  }
})
