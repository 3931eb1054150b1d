import { expect, test, vi } from 'vitest'
import { formatDatetime, parseDatetime, timeZoneOf } from './dates.ts'

test.each([
  ['0001-01-01T00:00:00Z', 'UTC', '0001/01/01 00:00:00 +0000'],
  ['0099-12-31 00:00:00', 'UTC', '0099/12/31 00:00:00 +0000'],
  ['0001-01-01T00:00:00Z', 'America/New_York', '0001/01/01 00:00:00 +0000'],
  ['0001/01/01 00:00:00', 'Asia/Shanghai', '0001/01/01 08:05:00 +0805'],
  ['9999-12-31T23:59:59Z', 'Asia/Shanghai', '9999/12/31 23:59:59 +0000'],
  ['9999-12-31 23:59:59', 'America/New_York', '9999/12/31 18:59:59 -0500'],
  ['2026-03-20 10:11:12 +0800', 'Asia/Shanghai', '2026/03/20 10:11:12 +0800'],
  // As PostgreSQL writes it.
  ['2026-03-20 02:11:12.123456+00', 'Asia/Shanghai', '2026/03/20 10:11:12 +0800'],
  ['2026-03-20 07:41:12+05:30', 'Asia/Shanghai', '2026/03/20 10:11:12 +0800'],
])('%s, written in %s, is read as %s', (text, zone, shown) => {
  const date = parseDatetime(text, zone)
  if (date === undefined) throw new Error(`${text} was not understood`)
  expect(formatDatetime(date, zone)).toBe(shown)
  expect(Math.abs((parseDatetime(shown, 'UTC')?.getTime() ?? 0) - date.getTime())).toBeLessThan(1000)
})

test.each(['0000-12-31T00:00:00Z', '0001-01-01T00:00:00+08:00', '9999-12-31T23:59:59-08:00', '0000-01-01'])(
  '%s is no date of the years 1 to 9999',
  (text) => {
    expect(parseDatetime(text, 'UTC')).toBeUndefined()
  },
)

test.each(['-2500', '+1900', '+0860', '+18:30', '-99'])('%s is no distance from UTC', (offset) => {
  expect(parseDatetime(`2026-03-20 10:11:12 ${offset}`, 'UTC')).toBeUndefined()
})
test.each(['+1400', '-1200', '+0545', '+0805'])('%s is a distance from UTC', (offset) => {
  expect(parseDatetime(`2026-03-20 10:11:12 ${offset}`, 'UTC')).toBeDefined()
})

test('a time zone is remembered once, however it is spelled; what is none is not remembered', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const spellings = Array.from({ length: 500 }, (_, at) =>
    'america/argentina/comodrivadavia'.replaceAll(/[a-z]/g, (letter, place: number) =>
      (at >> (place % 9)) & 1 ? letter.toUpperCase() : letter,
    ),
  )
  const names = new Set(spellings.map((zone) => timeZoneOf(zone)))
  expect([...names]).toEqual([timeZoneOf('America/Argentina/Catamarca')])
  for (const name of names) for (const at of [0, 1e12]) formatDatetime(new Date(at), name ?? '')
  // Two names, and what writes the dates of the one zone.
  expect(made).toHaveBeenCalledTimes(3)
  made.mockRestore()
  for (const none of ['', 'Mars/Olympus', '+08:00', '-0330', 'x'.repeat(65)])
    expect(timeZoneOf(none)).toBeUndefined()
})
