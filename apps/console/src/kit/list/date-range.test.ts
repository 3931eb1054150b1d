import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { defaultDateRange, wholeDay, withEnd } from './date-range.ts'

test('a list of a period shows from seven days back to a day ahead, in days of 24 hours', () => {
  expect(defaultDateRange(new Date('2026-03-31T10:20:30.000Z'))).toEqual({
    date_from: '2026-03-24T10:20:30.000Z',
    date_to: '2026-04-01T10:20:30.000Z',
  })
})

test('an end of a period that is moved past the other takes it along, to the same day', () => {
  const period = { date_from: dayjs('2026-03-01T08:00'), date_to: dayjs('2026-03-08T08:00') }
  const texts = (...args: Parameters<typeof withEnd>) =>
    Object.values(withEnd(...args)).map((end) => end.format('MM-DD HH:mm'))
  expect(texts(period, 'date_from', dayjs('2026-03-02T09:00'))).toEqual(['03-02 09:00', '03-08 08:00'])
  expect(texts(period, 'date_from', dayjs('2026-04-01T09:00'))).toEqual(['04-01 09:00', '04-01 23:59'])
  expect(texts(period, 'date_to', dayjs('2026-02-01T09:00'))).toEqual(['02-01 00:00', '02-01 09:00'])
})

test('a day that is picked for a period is all of it, until a time is picked', () => {
  const before = dayjs('2026-03-01T08:00:00')
  const text = (end: 'date_from' | 'date_to', picked: string) =>
    wholeDay(end, dayjs(picked), before).format('MM-DD HH:mm:ss')
  expect(text('date_from', '2026-03-05T08:00:00')).toBe('03-05 00:00:01')
  expect(text('date_to', '2026-03-05T08:00:00')).toBe('03-05 23:59:59')
  expect(text('date_to', '2026-03-01T09:00:00')).toBe('03-01 09:00:00')
})
