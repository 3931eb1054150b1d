/** Schedules as five fields of crontab: minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). */

/** In which schedules are kept; people are shown their next times in their own zone. */
export const scheduleZone = 'UTC'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

export interface CronPart {
  name: 'minute' | 'hour' | 'day' | 'month' | 'week'
  least: number
  most: number
  /** Stand for the least and those after it. */
  names?: readonly string[]
}
export const cronParts: readonly [CronPart, CronPart, CronPart, CronPart, CronPart] = [
  { name: 'minute', least: 0, most: 59 },
  { name: 'hour', least: 0, most: 23 },
  { name: 'day', least: 1, most: 31 },
  { name: 'month', least: 1, most: 12, names: months },
  { name: 'week', least: 0, most: 7, names: weekdays },
]

/** What a number or a name of a part stands for; undefined for what is neither, or out of bounds. */
export function cronNumber(text: string, { least, most, names }: CronPart): number | undefined {
  const named = names?.indexOf(text.toLowerCase()) ?? -1
  const number = named >= 0 ? named + least : /^\d{1,2}$/.test(text) ? Number(text) : undefined
  return number !== undefined && number >= least && number <= most ? number : undefined
}

/** One of a list: a star, a number or a range, each with a step after a slash where it is no single number. */
function isItem(text: string, part: CronPart): boolean {
  const [range = '', step, ...more] = text.split('/')
  if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false
  if (range === '*') return true
  const [first, last, ...others] = range.split('-').map((one) => cronNumber(one, part))
  if (first === undefined || others.length > 0) return false
  if (!range.includes('-')) return step === undefined
  return last !== undefined && first <= last
}

/** Whether a text can be that part of a schedule. */
export const isCronPart = (text: string, part: CronPart): boolean =>
  text.split(',').every((item) => isItem(item, part))

/** Whether a text is such a schedule. */
export function isCron(text: string): boolean {
  const given = text.trim().split(/\s+/)
  return given.length === cronParts.length && cronParts.every((part, at) => isCronPart(given[at] ?? '', part))
}
