import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { licenceNotices, passwordDaysLeft } from './expiry.ts'

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
    date_expired: now.add(days * 24, 'hour').toISOString(),
    asset_count: 10,
    current_asset_count: used,
  })
  const told = (days: number, used?: number) => licenceNotices(licence(days, used), now).map(({ key }) => key)
  expect(told(-1)).toEqual(['licenceExpired'])
  expect(told(0)).toEqual(['licenceExpired'])
  expect(told(6.99)).toEqual(['licenceExpires'])
  expect(told(7)).toEqual([])
  expect(told(8, 10)).toEqual(['licenceAssetLimit'])
})

test('a licence that is full and near its end is warned about twice', () => {
  const licence = { date_expired: now.add(3, 'day').toISOString(), asset_count: 10, current_asset_count: 10 }
  expect(licenceNotices(licence, now).map(({ key }) => key)).toEqual(['licenceExpires', 'licenceAssetLimit'])
})
