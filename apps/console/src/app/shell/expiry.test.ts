import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { licenceNotice, passwordDaysLeft } from './expiry.ts'

const now = dayjs('2030-05-10T12:00:00Z')

test('a password is warned about in its last five days and once it has expired', () => {
  const changedDaysAgo = (days: number) => passwordDaysLeft(now.subtract(days, 'day'), 30, now)
  expect(changedDaysAgo(24)).toBeUndefined()
  expect(changedDaysAgo(25)).toBe(5)
  expect(changedDaysAgo(30)).toBe(0)
  expect(changedDaysAgo(33)).toBe(-3)
  expect(passwordDaysLeft(undefined, 30, now)).toBeUndefined()
})

test('a licence is warned about when it has expired, soon will, or is full', () => {
  const licence = (days: number, used = 5) => ({
    date_expired: now.add(days, 'day').toISOString(),
    asset_count: 10,
    current_asset_count: used,
  })
  expect(licenceNotice(licence(-1), now)?.key).toBe('licenceExpired')
  expect(licenceNotice(licence(6), now)?.key).toBe('licenceExpires')
  expect(licenceNotice(licence(8), now)).toBeUndefined()
  expect(licenceNotice(licence(8, 10), now)?.key).toBe('licenceAssetLimit')
})
