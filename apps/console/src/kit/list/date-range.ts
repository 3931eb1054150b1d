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
