import type { Licence } from '@sallyport/contract/resources/license'
import type { Dayjs } from 'dayjs'
import { parseDate } from '../../kit/dates/dates.ts'

const passwordWarningDays = 5
const licenceWarningDays = 7

export interface LicenceNotice {
  key: 'licenceExpired' | 'licenceExpires' | 'licenceAssetLimit'
  date?: Dayjs
}

/** What is wrong with the licence, or soon will be. */
export function licenceNotice(
  licence: Pick<Licence, 'date_expired' | 'asset_count' | 'current_asset_count'>,
  now: Dayjs,
): LicenceNotice | undefined {
  const end = parseDate(licence.date_expired)
  if (end !== undefined && !end.isAfter(now)) return { key: 'licenceExpired' }
  if (end !== undefined && end.diff(now, 'day', true) < licenceWarningDays) {
    return { key: 'licenceExpires', date: end }
  }
  const { asset_count: limit, current_asset_count: used } = licence
  return limit !== null && used >= limit ? { key: 'licenceAssetLimit' } : undefined
}

/** Whole days until a password must be changed, once a warning is due; 0 or less when it has expired. */
export function passwordDaysLeft(
  changed: Dayjs | undefined,
  lifetimeDays: number,
  now: Dayjs,
): number | undefined {
  if (changed === undefined) return undefined
  const left = Math.ceil(changed.add(lifetimeDays, 'day').diff(now, 'day', true))
  return left <= passwordWarningDays ? left : undefined
}
