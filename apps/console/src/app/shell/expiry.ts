import type { Licence } from '@sallyport/contract/resources/license'
import type { Dayjs } from 'dayjs'
import { parseDate } from '../../kit/dates/dates.ts'

const passwordWarningDays = 5
const licenceWarningDays = 7

type LicenceUse = Pick<Licence, 'date_expired' | 'asset_count' | 'current_asset_count'>

export interface LicenceNotice {
  key: 'licenceExpired' | 'licenceExpires' | 'licenceAssetLimit'
  date?: Dayjs
}

/** What is wrong with the licence, or soon will be: its time and its limit are told of each. */
export function licenceNotices(
  { date_expired, asset_count: limit, current_asset_count: used }: LicenceUse,
  now: Dayjs,
): LicenceNotice[] {
  const end = parseDate(date_expired)
  const notices: LicenceNotice[] = []
  if (end !== undefined && !end.isAfter(now)) notices.push({ key: 'licenceExpired' })
  else if (end !== undefined && end.diff(now, 'day', true) < licenceWarningDays)
    notices.push({ key: 'licenceExpires', date: end })
  if (limit !== null && used >= limit) notices.push({ key: 'licenceAssetLimit' })
  return notices
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
