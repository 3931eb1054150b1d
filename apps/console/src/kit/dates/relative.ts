import type { Dayjs } from 'dayjs'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const recentDays = 7

/** How long ago (or how soon) as the language says it; undefined beyond a week, where a date says more. */
export function relativeText(date: Dayjs, nowMs: number, language: string): string | undefined {
  const seconds = Math.round((date.valueOf() - nowMs) / 1000)
  const distance = Math.abs(seconds)
  if (distance >= recentDays * 86_400) return undefined
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, size] = units.find(([, size]) => distance >= size) ?? ['second', 60]
  // Below a minute: now, whatever the second.
  return format.format(Math.trunc(seconds / size), unit)
}
