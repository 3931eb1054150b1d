import { expect, test } from 'vitest'
import { isCron } from './cron.ts'

test.each(['0 2 * * *', '*/5 * * * *', '0,30 8-18/2 1-15 jan-mar,12 MON-FRI', ' 59  23 31 12 7 '])(
  '%s is a schedule',
  (text) => {
    expect(isCron(text)).toBe(true)
  },
)

test.each([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 8',
  '*/0 * * * *',
  '5/2 * * * *',
  '9-5 * * * *',
  '1- * * * *',
  '1,,2 * * * *',
  '1-2-3 * * * *',
  '@daily',
  '0 0 * * L',
  `${'1,'.repeat(10_000)} * * * *`,
])('%s is none', (text) => {
  expect(isCron(text)).toBe(false)
})
