import type { Dayjs } from 'dayjs'

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const recentDays = 7
const justNowSeconds = 30

/**
 * How long ago (or how soon) as the language says it, `justNow` within half a minute; undefined beyond a week, where a
 * date says more.
 */
export function relativeText(
  date: Dayjs,
  nowMs: number,
  language: string,
  justNow: string,
): string | undefined {
  const seconds = Math.round((date.valueOf() - nowMs) / 1000)
  const distance = Math.abs(seconds)
  if (distance >= recentDays * 86_400) return undefined
  if (distance < justNowSeconds) return justNow
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, size] = units.find(([, size]) => distance >= size) ?? ['second', 1]
  return format.format(Math.trunc(seconds / size), unit)
}
