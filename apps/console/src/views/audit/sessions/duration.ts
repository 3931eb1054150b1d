import type { Dayjs } from 'dayjs'

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const

/** A length of time in its largest unit, with one decimal: `42.0s`, `1.5h`. */
export function showDuration(from: Dayjs, to: Dayjs): string {
  const seconds = Math.max(0, to.diff(from) / 1000)
  const [unit, size] = units.find(([, inSeconds]) => seconds >= inSeconds) ?? ['s', 1]
  return `${(seconds / size).toFixed(1)}${unit}`
}
