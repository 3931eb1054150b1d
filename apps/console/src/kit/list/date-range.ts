import dayjs from 'dayjs'
import type { Filters } from './list-state.ts'

const defaultDays = 7

/** The period a log shows at first: the last seven days and all of today. */
export function defaultDateRange(now: Date = new Date()): Filters {
  return {
    date_from: dayjs(now).subtract(defaultDays, 'day').startOf('day').toISOString(),
    date_to: dayjs(now).endOf('day').toISOString(),
  }
}
