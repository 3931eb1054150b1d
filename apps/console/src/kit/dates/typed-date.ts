import dayjs, { type Dayjs } from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import localizedFormat from 'dayjs/plugin/localizedFormat'
import { parseDate } from './dates.ts'

dayjs.extend(customParseFormat)
dayjs.extend(localizedFormat)

/** As the person's language writes a day, and as everybody does; leading zeros are taken off before. */
const days = ['l', 'YYYY-M-D', 'YYYY/M/D']
const times = [' H:m', ' H:m:s', ' h:m A', ' h:m:s A']
const moments = days.flatMap((day) => times.map((time) => day + time))
/** As machines write them, with the zone they are meant in. */
const zoned = /^\d{4}[/-]\d{2}[/-]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)? ?(?:Z|[+-]\d{2}:?\d{2})$/u

/**
 * A date as a person types it, in this browser's zone unless it names one; undefined for anything else. A day without a time is its first
 * second, or its last where a day that ends something is meant.
 */
export function readTypedDate(text: string, isEnd = false): Dayjs | undefined {
  const plain = text.trim().replaceAll(/\s+/gu, ' ').toUpperCase()
  if (zoned.test(plain)) return isDay(plain.slice(0, 10)) ? parseDate(plain) : undefined
  const short = plain.replaceAll(/\b0(?=\d)/gu, '')
  const day = dayjs(short, days, true)
  if (day.isValid()) return isEnd ? day.endOf('day').millisecond(0) : day
  const date = dayjs(short, moments, true)
  return date.isValid() ? date : undefined
}
const isDay = (text: string) => dayjs(text.replaceAll('/', '-'), 'YYYY-MM-DD', true).isValid()
