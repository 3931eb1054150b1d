import type { Dayjs } from 'dayjs'
import type { Filters } from './list-state.ts'

/** Periods of time count days of 24 hours, whatever the clocks do. */
export const dayMs = 86_400_000
const daysBack = 7
const daysAhead = 1

/** The period a list shows at first: from seven days ago to a day ahead, so that what happens meanwhile is in it. */
export function defaultDateRange(now: Date = new Date()): Filters {
  return {
    date_from: new Date(now.getTime() - daysBack * dayMs).toISOString(),
    date_to: new Date(now.getTime() + daysAhead * dayMs).toISOString(),
  }
}

export interface Period {
  date_from: Dayjs
  date_to: Dayjs
}

/** A period with another end. One that is moved past the other takes it along, to the same day. */
export function withEnd(period: Period, end: keyof Period, date: Dayjs): Period {
  if (end === 'date_from') {
    const { date_to } = period
    return { date_from: date, date_to: date.isAfter(date_to) ? date.endOf('day') : date_to }
  }
  const { date_from } = period
  return { date_from: date.isBefore(date_from) ? date.startOf('day') : date_from, date_to: date }
}

/** A day that was picked, its time left as before, means all of it: from its first second, to its last. */
export function wholeDay(end: keyof Period, picked: Dayjs, before: Dayjs): Dayjs {
  const isDay = !picked.isSame(before, 'day') && picked.format('HH:mm:ss') === before.format('HH:mm:ss')
  if (!isDay) return picked
  return end === 'date_from' ? picked.startOf('day').second(1) : picked.endOf('day').millisecond(0)
}
