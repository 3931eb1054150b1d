import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { showDuration } from './duration.ts'

const start = dayjs('2030-05-10T12:00:00Z')

test.each([
  [42, '42.0s'],
  [90, '1.5m'],
  [5400, '1.5h'],
  [129_600, '1.5d'],
])('a session of %i seconds lasted %s', (seconds, shown) => {
  expect(showDuration(start, start.add(seconds, 'second'))).toBe(shown)
})

test('a clock that is behind makes no negative time', () => {
  expect(showDuration(start, start.subtract(3, 'second'))).toBe('0.0s')
})
