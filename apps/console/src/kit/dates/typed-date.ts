import dayjs, { type Dayjs } from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import localizedFormat from 'dayjs/plugin/localizedFormat'

dayjs.extend(customParseFormat)
dayjs.extend(localizedFormat)

/** As the person's language writes a day, and as everybody does; leading zeros are taken off before. */
const days = ['l', 'YYYY-M-D', 'YYYY/M/D']
const times = ['', ' H:m', ' H:m:s', ' h:m A', ' h:m:s A']
const formats = days.flatMap((day) => times.map((time) => day + time))

/** A day as a person types it, with a time or without (then midnight), in this browser's zone; undefined for anything else. */
export function readTypedDate(text: string): Dayjs | undefined {
  const plain = text
    .trim()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/\b0(?=\d)/gu, '')
    .toUpperCase()
  const date = dayjs(plain, formats, true)
  return date.isValid() ? date : undefined
}
