/** Schedules as five fields of crontab: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). */

/** In which schedules are kept; people are shown their next times in their own zone. */
export const scheduleZone = 'UTC'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

interface Part {
  least: number
  most: number
  /** Stand for the least and those after it. */
  names?: readonly string[]
}
const parts: readonly Part[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 7, names: weekdays },
]

function numberOf(text: string, { least, most, names }: Part): number | undefined {
  const named = names?.indexOf(text.toLowerCase()) ?? -1
  const number = named >= 0 ? named + least : /^\d{1,2}$/.test(text) ? Number(text) : undefined
  return number !== undefined && number >= least && number <= most ? number : undefined
}

/** One of a list: a star, a number or a range, each with a step after a slash where it is no single number. */
function isItem(text: string, part: Part): boolean {
  const [range = '', step, ...more] = text.split('/')
  if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false
  if (range === '*') return true
  const [first, last, ...others] = range.split('-').map((one) => numberOf(one, part))
  if (first === undefined || others.length > 0) return false
  if (!range.includes('-')) return step === undefined
  return last !== undefined && first <= last
}

/** Whether a text is such a schedule. */
export function isCron(text: string): boolean {
  const given = text.trim().split(/\s+/)
  return (
    given.length === parts.length &&
    parts.every((part, at) => given[at]?.split(',').every((item) => isItem(item, part)))
  )
}
